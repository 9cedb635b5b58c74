import type {
  GeneratedDeclaration,
  DeclarationResult,
  ResourceDesign,
  GeneratedDictionary,
  GeneratedField,
  LiteralValue,
} from './declare.ts'

const WIDTH = 120
const STEP = '  '

const quoted = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replace(/[\n\r\u2028\u2029]+/g, ' ')}'`

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key))

/** A value as our formatter writes it: on one line where it fits, else a line for each part. */
function valueText(value: LiteralValue, indent: string, before: number): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const line = flat(value)
  if (indent.length + before + line.length + 1 <= WIDTH) return line
  const inner = indent + STEP
  const lines = isList
    ? value.map((one) => `${inner}${valueText(one, inner, 0)},`)
    : Object.entries(value).map(([key, one]) => `${inner}${keyText(key)}: ${valueText(one, inner, key.length + 2)},`)
  return `${isList ? '[' : '{'}\n${lines.join('\n')}\n${indent}${isList ? ']' : '}'}`
}

function flat(value: LiteralValue): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${keyText(key)}: ${flat(one)}`)
    .join(', ')} }`
}

function fieldText(key: string, { make, of, options }: GeneratedField, indent: string): string {
  const first = of === undefined ? '' : `${quoted(of)}, `
  const head = `${keyText(key)}: f.${make}(${first}`
  return `${indent}${head}${valueText(options, indent, head.length + 1)}),`
}

const line = (key: string, value: LiteralValue): string => `${STEP}${key}: ${valueText(value, STEP, key.length + 2)},`

/** The declaration as a file of ours. */
function resourceText(declaration: GeneratedDeclaration, intro: string): string {
  const { fields, list, unique, name, ...rest } = declaration
  return [
    "import { defineResource, f } from '#kit/resource/index.ts'",
    '',
    ...(intro ? [`/** ${intro.replace(/\s+/g, ' ').replaceAll('*/', '* /')} */`] : []),
    `export const ${name} = defineResource({`,
    line('name', name),
    ...Object.entries(rest).map(([key, value]) => line(key, value as LiteralValue)),
    `${STEP}fields: {`,
    ...Object.entries(fields).map(([key, field]) => fieldText(key, field, STEP + STEP)),
    `${STEP}},`,
    line('list', list),
    ...(unique.length ? [line('unique', unique)] : []),
    '})',
    '',
  ].join('\n')
}

/** Dictionaries that a family proposes, in a file of their own. */
const dictionariesText = (dictionaries: readonly GeneratedDictionary[]): string =>
  [
    "import { defineDict } from '#kit/resource/index.ts'",
    ...dictionaries.flatMap(({ variable, code, label, entries }) => [
      '',
      `export const ${variable} = defineDict({`,
      line('code', code),
      line('label', label),
      `${STEP}entries: [`,
      ...entries.map((one) => `${STEP}${STEP}${valueText(one, STEP + STEP, 0)},`),
      `${STEP}],`,
      '})',
    ]),
    '',
  ].join('\n')

/** A page of its own, for when it shall differ from what the declaration gives. */
const pageText = ({ name, label, intro }: ResourceDesign, file: string): string =>
  [
    "import { createResourcePage } from '#kit/web/page.tsx'",
    `import { ${name} } from './${file}.resource.ts'`,
    '',
    `export default createResourcePage(${name}, {`,
    line('intro', intro ?? { zh: `${label.zh}的新增、修改和查询`, en: `${label.en}: added, changed and looked up` }),
    '})',
    '',
  ].join('\n')

/** Where the family's rules go. */
const serverText = ({ name }: ResourceDesign, file: string): string =>
  [
    "import { serve } from '#kit/server/module.ts'",
    `import { ${name} } from './${file}.resource.ts'`,
    '',
    '/** Rules beyond the four calls go here: beforeSave, afterSave, beforeRemove, actions. */',
    `export const ${name}Server = serve(${name}, {})`,
    '',
  ].join('\n')

export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export type GeneratedFile = { path: string; text: string }

/** All files of one family. */
export function printResourceFiles(
  design: ResourceDesign,
  { declaration, dictionaries }: DeclarationResult,
): GeneratedFile[] {
  const file = toKebabCase(design.name)
  const folder = `domains/${design.module}`
  return [
    { path: `${folder}/${file}.resource.ts`, text: resourceText(declaration, design.intro?.en ?? '') },
    ...(dictionaries.length
      ? [{ path: `${folder}/${file}.dictionaries.ts`, text: dictionariesText(dictionaries) }]
      : []),
    ...(design.withPage ? [{ path: `${folder}/${file}.page.tsx`, text: pageText(design, file) }] : []),
    ...(design.withServer ? [{ path: `${folder}/${file}.server.ts`, text: serverText(design, file) }] : []),
  ]
}

/** What the command of the project has to know of one family to mount it in its module. */
export type ManifestEntry = {
  name: string
  service: string
  module: string
  moduleLabel: { zh: string; en: string }
  page: string
  under: string
  dictionaries: string[]
  withPage: boolean
  withServer: boolean
}
