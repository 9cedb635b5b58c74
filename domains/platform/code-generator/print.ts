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

/** Prints a value as the formatter would: on one line if it fits, else one line per element. */
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

/** Returns the text of the resource declaration file. */
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

/** Returns the text of the file with the proposed dictionaries. */
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

/** Returns the text of a page file, for pages that will differ from the standard one. */
const pageText = ({ name, label, intro }: ResourceDesign, file: string): string =>
  [
    "import { createResourcePage } from '#kit/web/page/page.tsx'",
    `import { ${name} } from './${file}.resource.ts'`,
    '',
    `export default createResourcePage(${name}, {`,
    line('intro', intro ?? { zh: `${label.zh}的新增、修改和查询`, en: `${label.en}: added, changed and looked up` }),
    '})',
    '',
  ].join('\n')

/** Returns the text of the server file, an empty place for the resource's rules. */
const serverText = ({ name }: ResourceDesign, file: string): string =>
  [
    "import { serve } from '#kit/server/module/module.ts'",
    `import { ${name} } from './${file}.resource.ts'`,
    '',
    '/** Rules beyond the four calls go here: beforeSave, afterSave, beforeRemove, actions. */',
    `export const ${name}Server = serve(${name}, {})`,
    '',
  ].join('\n')

export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export type GeneratedFile = { path: string; text: string }

/** Returns all generated files of one resource. */
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

/** What the project's install command must know of a resource to mount it in its module. */
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
