import type { LocalizedText } from '#kit/resource/localized-text.ts'
import { codeFieldFormats } from './code.resource.ts'
import { toCamelCase, toEnglishLabel } from './columns.ts'
import { createResourceDeclaration, type DeclarationResult, type ResourceDesign } from './declare.ts'
import { moduleFolderOfService } from './module-folders.ts'
import type { ModelColumn } from './part.ts'
import { printResourceFiles, type ManifestEntry, type GeneratedFile } from './print.ts'

/** What of a model and of its code a design is made of; rows as they are stored, or as a browser holds them. */
export type DesignModel = {
  modelCode: string
  modelName: string
  modelNameEn?: string | null
  modelRemark?: string | null
}
export type DesignCode = {
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
export type ModelWithColumns = { model: DesignModel; parts: readonly ModelColumn[] }

/** Short name of a service: `goods`, and `demo` of an older client's `blade-demo`. */
const serviceNameOf = (service: string): string =>
  toCamelCase(service.replace(/^blade-/, '')).toLowerCase() || 'generated'

const labelOf = ({ modelName, modelNameEn, modelCode }: DesignModel): LocalizedText => ({
  zh: modelName,
  en: modelNameEn || toEnglishLabel(modelCode),
})

const introOf = ({ modelRemark }: DesignModel, label: LocalizedText): LocalizedText | undefined =>
  modelRemark && !/\p{Script=Han}/u.test(modelRemark)
    ? { zh: label.zh, en: modelRemark }
    : modelRemark
      ? { zh: modelRemark, en: label.en }
      : undefined

export function createResourceDesign(
  code: DesignCode,
  { model, parts }: ModelWithColumns,
  head?: ResourceDesign['head'],
): ResourceDesign {
  const name = toCamelCase(model.modelCode) || 'family'
  const service = serviceNameOf(code.serviceName ?? '')
  const label = labelOf(model)
  const isOwn = !head
  const given = (key: keyof typeof codeFieldFormats) =>
    isOwn && new RegExp(codeFieldFormats[key].pattern, 'u').test(code[key] ?? '') ? code[key]! : ''
  return {
    name,
    service,
    module: moduleFolderOfService(service),
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
export function createResourceDesigns(
  code: DesignCode,
  main: ModelWithColumns,
  lines?: ModelWithColumns,
): ResourceDesign[] {
  const design = createResourceDesign(code, main)
  if (code.templateType !== 'sub' || !lines) return [design]
  return [design, createResourceDesign(code, lines, { column: code.subFkId ?? '', family: design.name })]
}

export type GeneratedResource = { design: ResourceDesign; declared: DeclarationResult; files: GeneratedFile[] }
export const generateResources = (designs: readonly ResourceDesign[]): GeneratedResource[] =>
  designs.map((design) => {
    const declared = createResourceDeclaration(design)
    return { design, declared, files: printResourceFiles(design, declared) }
  })

export const GENERATOR_MANIFEST_FILE = 'code.json'
export const GENERATED_BASE_FOLDER = '.generated'
export type GeneratorManifest = { version: 2; families: ManifestEntry[] }

/**
 * All that travels to a developer: the files, what they were made as (`.generated/`), by which the next time tells a
 * person's edits from ours, and how the family is mounted in its module.
 */
export function collectDownloadFiles(all: readonly GeneratedResource[]): GeneratedFile[] {
  const manifest: GeneratorManifest = {
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
        .map(({ path, text }) => ({ path: `${GENERATED_BASE_FOLDER}/${path.slice(path.lastIndexOf('/') + 1)}`, text })),
    ),
    { path: GENERATOR_MANIFEST_FILE, text: `${JSON.stringify(manifest, null, 2)}\n` },
  ]
}
