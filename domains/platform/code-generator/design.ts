import type { LocalizedText } from '#kit/resource/localized-text.ts'
import { formsHere } from './code.resource.ts'
import { camel, spoken } from './columns.ts'
import { declare, type Declared, type Design } from './declare.ts'
import { moduleOf } from './module-folders.ts'
import type { Part } from './part.ts'
import { filesOf, type Entry, type GeneratedFile } from './print.ts'

/** What of a model and of its code a design is made of; rows as they are stored, or as a browser holds them. */
export type ModelSaid = {
  modelCode: string
  modelName: string
  modelNameEn?: string | null
  modelRemark?: string | null
}
export type CodeSaid = {
  serviceName?: string | null
  apiPath?: string | null
  webPath?: string | null
  menuUnder?: string | null
  menuIcon?: string | null
  tableName?: string | null
  tenancyKind?: string | null
  templateType?: string | null
  treePid?: string | null
  subFkId?: string | null
  withPage?: boolean | null
  withServer?: boolean | null
}
export type ModelWithParts = { model: ModelSaid; parts: readonly Part[] }

/** Short name of a service: `goods`, and `demo` of an older client's `blade-demo`. */
const serviceNameOf = (service: string): string => camel(service.replace(/^blade-/, '')).toLowerCase() || 'generated'

const labelOf = ({ modelName, modelNameEn, modelCode }: ModelSaid): LocalizedText => ({
  zh: modelName,
  en: modelNameEn || spoken(modelCode),
})

const introOf = ({ modelRemark }: ModelSaid, label: LocalizedText): LocalizedText | undefined =>
  modelRemark && !/\p{Script=Han}/u.test(modelRemark)
    ? { zh: label.zh, en: modelRemark }
    : modelRemark
      ? { zh: modelRemark, en: label.en }
      : undefined

export function designOf(code: CodeSaid, { model, parts }: ModelWithParts, head?: Design['head']): Design {
  const name = camel(model.modelCode) || 'family'
  const service = serviceNameOf(code.serviceName ?? '')
  const label = labelOf(model)
  const isOwn = !head
  const given = (key: keyof typeof formsHere) =>
    isOwn && new RegExp(formsHere[key].pattern, 'u').test(code[key] ?? '') ? code[key]! : ''
  return {
    name,
    service,
    module: moduleOf(service),
    path: given('apiPath') || `/api/${service}/${name}`,
    page: given('webPath') || `/${service}/${name}`,
    under: /^\w{1,60}$/.test(code.menuUnder ?? '') ? code.menuUnder! : service,
    icon: code.menuIcon ?? '',
    table: given('tableName'),
    label,
    intro: introOf(model, label),
    tenancy: code.tenancyKind === 'shared' || code.tenancyKind === 'platform' ? code.tenancyKind : 'tenant',
    parts,
    treeColumn: isOwn && code.templateType === 'tree' ? (code.treePid ?? '') : '',
    head,
    withPage: code.withPage === true,
    withServer: code.withServer === true,
  }
}

/** The designs of a code: its family, and that of its lines where it is a head with lines. */
export function designsOf(code: CodeSaid, main: ModelWithParts, lines?: ModelWithParts): Design[] {
  const design = designOf(code, main)
  if (code.templateType !== 'sub' || !lines) return [design]
  return [design, designOf(code, lines, { column: code.subFkId ?? '', family: design.name })]
}

export type Generated = { design: Design; declared: Declared; files: GeneratedFile[] }
export const generate = (designs: readonly Design[]): Generated[] =>
  designs.map((design) => {
    const declared = declare(design)
    return { design, declared, files: filesOf(design, declared) }
  })

export const MANIFEST = 'code.json'
export const BASE_FOLDER = '.generated'
export type Manifest = { version: 2; families: Entry[] }

/**
 * All that travels to a developer: the files, what they were made as (`.generated/`), by which the next time tells a
 * person's edits from ours, and how the family is mounted in its module.
 */
export function parcelOf(all: readonly Generated[]): GeneratedFile[] {
  const manifest: Manifest = {
    version: 2,
    families: all.map(({ design, declared }) => ({
      name: design.name,
      service: design.service,
      module: design.module,
      moduleLabel: { zh: design.label.zh, en: design.label.en },
      under: design.under,
      page: design.page,
      dictionaries: declared.dictionaries.map(({ variable }) => variable),
      withPage: design.withPage,
      withServer: design.withServer,
    })),
  }
  return [
    ...all.flatMap(({ files }) => files),
    ...all.flatMap(({ files }) =>
      files
        .filter(({ path }) => /\.(resource|dictionaries)\.ts$/.test(path))
        .map(({ path, text }) => ({ path: `${BASE_FOLDER}/${path.slice(path.lastIndexOf('/') + 1)}`, text })),
    ),
    { path: MANIFEST, text: `${JSON.stringify(manifest, null, 2)}\n` },
  ]
}
