import { PRINTED_DOCUMENTS_MAX, f, type Field, type Fields } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import {
  documentKindToWire,
  requireDocumentKind,
  listDocumentKinds,
  documentKindsOfResource,
  type ResolvedDocument,
} from './kinds.ts'
import type { DocumentKind, PrintPageData } from './paper.ts'
import { printTemplate } from './print-template.resource.ts'
import { hasDocumentForAllRows, layOutDocuments, requireRowsPermission, findTemplatePreviewRowId } from './sheets.ts'
import { parseTemplateDraft, createDocumentLayout, type PrintTemplateRow } from './template.ts'

const PATH = '/api/prints'
/** Template id for the built-in layout, for tenants with templates of their own. */
const BUILT_IN = '0'

const { kind } = printTemplate.fields
const ids = f.refs('', { label: { zh: '单据编号', en: 'Document IDs' }, required: true })
const templateId = f.ref('', { label: printTemplate.label })

/** The template's fields as in an unsaved form, where none is required. */
const unsaved: Fields = Object.fromEntries(
  Object.entries<Field>(printTemplate.fields)
    .filter(([, field]) => !field.computed)
    .map(([key, field]) => [key, { ...field, required: false, default: undefined }]),
)

const templatesOf = ({ services, caller }: Call, { kind: wanted }: ResolvedDocument): Promise<PrintTemplateRow[]> =>
  services.unit({ tenantId: caller.tenantId }, (db) =>
    db.find(printTemplate, sql`r.kind = ${wanted}`, sql`order by r.is_default desc, r.name, r.id limit 200`),
  )

/**
 * Returns the template with this id, else the tenant's default if any. Undefined for the built-in layout. Refuses an
 * unknown id.
 */
function chosen(templates: readonly PrintTemplateRow[], id: string | null): PrintTemplateRow | undefined {
  if (id === BUILT_IN) return undefined
  const found = id ? templates.find((one) => one.id === id) : templates.find(({ isDefault }) => isDefault)
  if (id && !found) throw new Refused('not_found', { label: printTemplate.label })
  return found
}

async function print(call: Call<{ kind: string; ids: string[]; templateId: string | null }>): Promise<PrintPageData> {
  const { input } = call
  if (input.ids.length > PRINTED_DOCUMENTS_MAX) throw new Refused('print_too_many', { max: PRINTED_DOCUMENTS_MAX })
  const found = requireDocumentKind(call, input.kind)
  await requireRowsPermission(call, found.served)
  const templates = await templatesOf(call, found)
  const template = chosen(templates, input.templateId)
  const { paper, rows } = await layOutDocuments(call, found, createDocumentLayout(found, template), input.ids)
  return {
    ...paper,
    family: found.served.resource.name,
    templateId: template?.id ?? '',
    templates: templates.map(({ id, name }) => ({ id, name })),
    kinds: documentKindsOfResource(call, found.served.resource.name)
      .filter((one) => hasDocumentForAllRows(one, rows))
      .map((one) => ({ kind: one.kind, label: one.document.label })),
  }
}

export const documentRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${PATH}/kinds`,
    title: { zh: '可打印的单据', en: 'Printable documents' },
    can: 'printTemplate',
    tx: false,
    handle: async (call): Promise<DocumentKind[]> => {
      const kinds: DocumentKind[] = []
      for (const found of listDocumentKinds(call))
        if (await hasListPermission(call, found.served)) kinds.push(documentKindToWire(found))
      return kinds
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/sheets`,
    title: { zh: '打印单据', en: 'Print documents' },
    can: { signedIn: 'documents of rows one may list, with what one may see of them' },
    tx: false,
    input: { kind, ids, templateId },
    handle: print,
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/preview`,
    title: { zh: '预览单据模板', en: 'Preview document template' },
    can: ['printTemplate_add', 'printTemplate_edit'],
    tx: false,
    log: false,
    input: { ...unsaved, kind, rowId: f.ref('', { label: { zh: '单据编号', en: 'Document ID' } }) },
    handle: async (call) => {
      const { input } = call
      const found = requireDocumentKind(call, input.kind)
      await requireRowsPermission(call, found.served)
      const layout = createDocumentLayout(found, parseTemplateDraft(found, input))
      const id = await findTemplatePreviewRowId(call, found, input.rowId ?? undefined)
      return (await layOutDocuments(call, found, layout, id ? [id] : [])).paper
    },
  }),
]
