import type { LocalizedText } from '#kit/base/localized-text.ts'
import { codeFieldFormats } from './code.resource.ts'
import { toCamelCase, toEnglishLabel } from './columns.ts'
import { createResourceDeclaration, type DeclarationResult, type ResourceDesign } from './declare.ts'
import { moduleFolderOfService } from './module-folders.ts'
import type { ModelColumn } from './part.ts'
import { printResourceFiles, type ManifestEntry, type GeneratedFile } from './print.ts'

/** The parts of a model used for a design; from the database or from the browser's form. */
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

/** Returns the short name of a service: `goods`, or `demo` for an older client's `blade-demo`. */
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

/** Returns the designs of a generator entry: its resource and, for template `sub`, that of the line items. */
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
 * Returns the files of the download: the generated ones, a copy of each in `.generated/` by which the next run detects
 * manual edits, and a manifest for mounting the resources in their modules.
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
