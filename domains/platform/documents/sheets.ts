import { formatYuan } from '#kit/fields/money/cents.ts'
import { isEmptyInput, type Field, type Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import {
  baseFields,
  meetsCondition,
  pluralizeUnit,
  type PrintableDocumentLines,
  type Resource,
} from '#kit/resource/index.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { dataScopeSql, visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import {
  notDeletedSql,
  columnNameSql,
  tenantPredicateSql,
  tableNameSql,
  tenantScopeOf,
} from '#kit/server/database/row-sql.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { authoriseCall } from '#kit/server/request/pipeline.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { hasListPermission, requireListPermission } from '#kit/server/resource/may-list.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import type { Call, ServedResource } from '#kit/server/module/module.ts'
import { toSheetCell } from '#kit/server/sheets/cells.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { documentNumberField, offeredDocumentFieldsOf, type ResolvedDocument } from './kinds.ts'
import type { DocumentLayout, LaidOutDocuments, DocumentField, DocumentValues } from './paper.ts'

const LINES_MAX = 2000
const PREVIEW_AMONG = 50

type Wire = Record<string, unknown>
/** A row as stored, and as presented to this reader. */
type Read = { row: Wire; wire: Wire }

/** Refuses callers who may not open the resource's rows. */
export async function requireRowsPermission(call: Call, served: ServedResource): Promise<void> {
  const { resource } = served
  await requireListPermission(call, served)
  await authoriseCall(call.caller, permissionCodeOf(resource, 'list'), `${resource.path}/detail`, call.services)
}

/** Returns rows of a resource as the caller sees them: within scope, masked, with labels. */
async function read(call: Call, served: ServedResource, rest: Sql): Promise<Read[]> {
  const { resource, hooks } = served
  const { services, caller } = call
  await services.labels.ready(caller.tenantId)
  const columns = selectColumnsSql(services.registry, resource, 'detail')
  const [rows] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${columns} ${visibleRowsSql(served, call)}${rest}`,
  ])
  const wire = await presentRows(call, resource, hooks, rows!)
  return wire.map((one, at) => ({ row: rows![at] as Wire, wire: one }))
}

/**
 * Returns the rows with these ids in this order. Refuses if one is missing or not visible, or its document does not
 * exist yet.
 */
async function rowsNamed(call: Call, { document, served }: ResolvedDocument, ids: readonly string[]): Promise<Read[]> {
  const { resource } = served
  const found = await read(call, served, sql` and r.id = any(${ids}::bigint[])`)
  return ids.map((id) => {
    const one = found.find(({ wire }) => wire.id === id)
    if (!one) throw new Refused('not_found', { label: resource.label })
    if (!meetsCondition(one.wire, document.enabled))
      throw new Refused('print_not_yet', {
        number: String(one.wire[resource.title] ?? id),
        document: document.label[call.lang],
      })
    return one
  })
}

/**
 * Returns the row to preview a template with: the given one, else the newest of the latest `PREVIEW_AMONG` rows that
 * has such a document.
 */
export async function findTemplatePreviewRowId(
  call: Call,
  found: ResolvedDocument,
  id: string | undefined,
): Promise<string | undefined> {
  if (id) return id
  const newest = await read(call, found.served, sql` order by r.create_time desc, r.id desc limit ${PREVIEW_AMONG}`)
  return newest.find(({ wire }) => meetsCondition(wire, found.document.enabled))?.wire.id as string | undefined
}

/** Returns a value as text with its unit; '' when empty. */
function textOf(key: string, field: Field, { wire, row }: Read, lang: Call['lang']): string {
  const cell = toSheetCell(key, field, wire, row, lang)
  if (typeof cell === 'string') return cell
  const { suffix = '' } = fieldKindOf(field)
  return `${String(wire[key])}${suffix}${field.unit ? ` ${pluralizeUnit(field.unit, lang, wire[key])}` : ''}`
}

/** Returns the sum of a column: amounts are added in cents, others with their decimals. '' when every line is empty. */
function sumOf(key: string, field: Field, lines: readonly Read[]): string {
  if (lines.every(({ row }) => (row[key] ?? null) === null)) return ''
  const sum = lines.reduce((total, { row }) => total + Number(row[key] ?? 0), 0)
  return fieldKindOf(field).currency ? formatYuan(sum) : sum.toFixed(field.decimals ?? 0)
}

/** Returns the fields the caller may see. */
function seenBy(call: Call, resource: Resource<any, any>, fields: readonly DocumentField[]): DocumentField[] {
  const sees = visibleFields(resource, call.caller)
  return fields.filter(({ key }) => !sees || sees.has(key) || key in baseFields)
}

type Lines = { of: (row: Read) => readonly Read[]; isPartial: (row: Read) => boolean }
const NO_LINES: Lines = { of: () => [], isPartial: () => false }

/** Converts a line stored inside a row's JSON: there values have the API's form, and sums need the stored one. */
const partOf = (fields: Fields, wire: Wire): Read => ({
  wire,
  row: Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const parsed = isEmptyInput(wire[key]) ? { value: null } : fieldKindOf(field).parse(wire[key], field)
      return [key, 'value' in parsed ? parsed.value : wire[key]]
    }),
  ),
})

const ofRow = (lines: PrintableDocumentLines, { row }: Read): string =>
  String(('from' in lines && lines.from ? row[lines.from] : row.id) ?? '')

/** Returns the lines of all rows, read with one query. */
async function linesOf(
  call: Call,
  { document, lines: served }: ResolvedDocument,
  rows: readonly Read[],
): Promise<Lines> {
  const { lines } = document
  if (!lines || !rows.length) return NO_LINES
  if ('in' in lines)
    return {
      of: ({ row }) =>
        Array.isArray(row[lines.in]) ? (row[lines.in] as Wire[]).map((part) => partOf(lines.fields, part)) : [],
      isPartial: () => false,
    }
  if (!(await hasListPermission(call, served!))) return { of: () => [], isPartial: () => true }
  const ids = [...new Set(rows.map((one) => ofRow(lines, one)).filter(Boolean))]
  const by = columnNameSql(lines.by)
  const found = await read(
    call,
    served!,
    sql` and r.${by} = any(${ids}::bigint[]) order by r.${columnNameSql(lines.sort ?? 'id')}, r.id
      limit ${LINES_MAX * ids.length + 1}`,
  )
  const all = await countsOf(call, served!, lines.by, ids)
  const byRow = Map.groupBy(found, ({ row }) => String(row[lines.by]))
  const of = (row: Read) => byRow.get(ofRow(lines, row)) ?? []
  return { of, isPartial: (row) => !!all && (all.get(ofRow(lines, row)) ?? 0) > of(row).length }
}

/** Counts all lines, also those the caller may not see; undefined when the caller sees all. */
async function countsOf(call: Call, { resource, hooks }: ServedResource, by: string, ids: readonly string[]) {
  if (dataScopeSql(resource, call.caller) === empty && !hooks.where) return undefined
  const key = columnNameSql(by)
  const [counts] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select r.${key}::text as id, count(*)::int as n from ${tableNameSql(resource)} r
      where true${tenantPredicateSql(resource, tenantScopeOf(call.caller))}${notDeletedSql(resource)}
      and r.${key} = any(${ids}::bigint[]) group by r.${key}`,
  ])
  return new Map((counts as { id: string; n: number }[]).map(({ id, n }) => [id, n]))
}

/** Whether all these rows have such a document. */
export const hasDocumentForAllRows = (
  { document }: Pick<ResolvedDocument, 'document'>,
  rows: readonly Read[],
): boolean => rows.every(({ wire }) => meetsCondition(wire, document.enabled))

type DocumentsOfRows = { paper: LaidOutDocuments; rows: readonly Read[] }

/** Returns rows as documents, limited to what the caller may see. */
export async function layOutDocuments(
  request: Call,
  found: ResolvedDocument,
  whole: DocumentLayout,
  ids: readonly string[],
): Promise<DocumentsOfRows> {
  const { language } = whole
  const call = { ...request, lang: language === 'zh' || language === 'en' ? language : request.lang }
  const { served, document } = found

  const rows = await rowsNamed(call, found, ids)
  const offers = offeredDocumentFieldsOf(found)
  const layout = {
    ...whole,
    facts: seenBy(call, served.resource, whole.facts),
    totals: seenBy(call, served.resource, whole.totals),
    columns: found.lines ? seenBy(call, found.lines.resource, whole.columns) : whole.columns,
  }

  const lines = layout.columns.length ? await linesOf(call, found, rows) : NO_LINES
  const [numberKey, numberField] = documentNumberField(found)
  const isNumberSeen = seenBy(call, served.resource, [
    { key: numberKey, label: numberField.label, look: 'text' },
  ]).length
  const summed = new Set(Object.keys(document.lines?.sums ?? {}))

  const sheets = rows.map((row): DocumentValues => {
    const number = isNumberSeen ? textOf(numberKey, numberField, row, call.lang) : ''
    const own = lines.of(row)
    if (own.length > LINES_MAX) throw new Refused('print_too_long', { number, max: LINES_MAX })
    const texts = (fields: readonly DocumentField[], of: Map<string, Field>, one: Read) =>
      fields.map(({ key }) => textOf(key, of.get(key)!, one, call.lang))
    return {
      id: String(row.wire.id),
      number,
      facts: texts(layout.facts, offers.facts, row),
      lines: own.map((line) => texts(layout.columns, offers.columns, line)),
      sums: layout.columns.map(({ key }) => (summed.has(key) ? sumOf(key, offers.columns.get(key)!, own) : '')),
      totals: texts(layout.totals, offers.totals, row),
      isPartial: lines.isPartial(row),
    }
  })

  return { paper: { kind: found.kind, layout, sheets, time: formatShanghaiTime(call.services.now()) }, rows }
}
