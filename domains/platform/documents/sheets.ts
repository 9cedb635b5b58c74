import { yuan } from '#kit/fields/money/cents.ts'
import { isEmpty, type Field, type Fields } from '#kit/fields/field-kind.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { baseFields, meets, unitWord, type DocumentLines, type Resource } from '#kit/resource/index.ts'
import { permissionOf } from '#kit/resource/define-resource.ts'
import { dataScope, visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { notDeleted, column, tenantPredicate, tableOf, visibleTenants } from '#kit/server/database/rows.ts'
import { Refused } from '#kit/server/refused.ts'
import { authorise } from '#kit/server/request/pipeline.ts'
import { readBinding, visibleRows } from '#kit/server/resource/list-of.ts'
import { mayList, requireList } from '#kit/server/resource/may-list.ts'
import { presentRows, readColumns } from '#kit/server/resource/present.ts'
import type { Call, ServedResource } from '#kit/server/module.ts'
import { cellOf } from '#kit/server/sheets/cells.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { numberOf, offersOf, type ResolvedDocument } from './kinds.ts'
import type { Layout, Paper, PaperField, Sheet } from './paper.ts'

const LINES_MAX = 2000
const PREVIEW_AMONG = 50

type Wire = Record<string, unknown>
/** A row as it is stored and as it travels to this reader. */
type Read = { row: Wire; wire: Wire }

/** Refuses who may not open a family's rows. */
export async function requireRows(call: Call, served: ServedResource): Promise<void> {
  const { resource } = served
  await requireList(call, served)
  await authorise(call.caller, permissionOf(resource, 'list'), `${resource.path}/detail`, call.services)
}

/** Rows of a family as its reader is shown them: their scopes, masks and words. */
async function read(call: Call, served: ServedResource, rest: Sql): Promise<Read[]> {
  const { resource, hooks } = served
  const { services, caller } = call
  await services.labels.ready(caller.tenantId)
  const columns = readColumns(services.registry, resource, 'detail')
  const [rows] = await readBatch(services.pool, readBinding(call), [
    sql`select ${columns} ${visibleRows(served, call)}${rest}`,
  ])
  const wire = await presentRows(call, resource, hooks, rows!)
  return wire.map((one, at) => ({ row: rows![at] as Wire, wire: one }))
}

/** The named rows in the order they were asked for; not yours is not there. */
async function rowsNamed(call: Call, { document, served }: ResolvedDocument, ids: readonly string[]): Promise<Read[]> {
  const { resource } = served
  const found = await read(call, served, sql` and r.id = any(${ids}::bigint[])`)
  return ids.map((id) => {
    const one = found.find(({ wire }) => wire.id === id)
    if (!one) throw new Refused('not_found', { label: resource.label })
    if (!meets(one.wire, document.enabled))
      throw new Refused('print_not_yet', {
        number: String(one.wire[resource.title] ?? id),
        document: document.label[call.lang],
      })
    return one
  })
}

/** A row of the tenant to look at a template with: the one asked for, or the newest there is such a document of. */
export async function rowToShow(
  call: Call,
  found: ResolvedDocument,
  id: string | undefined,
): Promise<string | undefined> {
  if (id) return id
  const newest = await read(call, found.served, sql` order by r.create_time desc, r.id desc limit ${PREVIEW_AMONG}`)
  return newest.find(({ wire }) => meets(wire, found.document.enabled))?.wire.id as string | undefined
}

/** A value as words on paper; nothing where there is none. */
function textOf(key: string, field: Field, { wire, row }: Read, lang: Call['lang']): string {
  const cell = cellOf(key, field, wire, row, lang)
  if (typeof cell === 'string') return cell
  const { suffix = '' } = kindOf(field)
  return `${String(wire[key])}${suffix}${field.unit ? ` ${unitWord(field.unit, lang, wire[key])}` : ''}`
}

/** What a column comes to: amounts in cents, measures by their decimals; nothing where no line says anything. */
function sumOf(key: string, field: Field, lines: readonly Read[]): string {
  if (lines.every(({ row }) => (row[key] ?? null) === null)) return ''
  const sum = lines.reduce((total, { row }) => total + Number(row[key] ?? 0), 0)
  return kindOf(field).currency ? yuan(sum) : sum.toFixed(field.decimals ?? 0)
}

/** The fields of a layout its reader sees. */
function seenBy(call: Call, resource: Resource<any, any>, fields: readonly PaperField[]): PaperField[] {
  const sees = visibleFields(resource, call.caller)
  return fields.filter(({ key }) => !sees || sees.has(key) || key in baseFields)
}

type Lines = { of: (row: Read) => readonly Read[]; isPartial: (row: Read) => boolean }
const NO_LINES: Lines = { of: () => [], isPartial: () => false }

/** A part kept in a row stands there as it travels; what is added up is as its fields store it. */
const partOf = (fields: Fields, wire: Wire): Read => ({
  wire,
  row: Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const parsed = isEmpty(wire[key]) ? { value: null } : kindOf(field).parse(wire[key], field)
      return [key, 'value' in parsed ? parsed.value : wire[key]]
    }),
  ),
})

const ofRow = (lines: DocumentLines, { row }: Read): string =>
  String(('from' in lines && lines.from ? row[lines.from] : row.id) ?? '')

/** The lines of rows, all of them in one message. */
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
  if (!(await mayList(call, served!))) return { of: () => [], isPartial: () => true }
  const ids = [...new Set(rows.map((one) => ofRow(lines, one)).filter(Boolean))]
  const by = column(lines.by)
  const found = await read(
    call,
    served!,
    sql` and r.${by} = any(${ids}::bigint[]) order by r.${column(lines.sort ?? 'id')}, r.id
      limit ${LINES_MAX * ids.length + 1}`,
  )
  const all = await countsOf(call, served!, lines.by, ids)
  const byRow = Map.groupBy(found, ({ row }) => String(row[lines.by]))
  const of = (row: Read) => byRow.get(ofRow(lines, row)) ?? []
  return { of, isPartial: (row) => !!all && (all.get(ofRow(lines, row)) ?? 0) > of(row).length }
}

/** How many lines there are, whoever may see them; undefined where this reader is shown all. */
async function countsOf(call: Call, { resource, hooks }: ServedResource, by: string, ids: readonly string[]) {
  if (dataScope(resource, call.caller) === empty && !hooks.where) return undefined
  const key = column(by)
  const [counts] = await readBatch(call.services.pool, readBinding(call), [
    sql`select r.${key}::text as id, count(*)::int as n from ${tableOf(resource)} r
      where true${tenantPredicate(resource, visibleTenants(call.caller))}${notDeleted(resource)}
      and r.${key} = any(${ids}::bigint[]) group by r.${key}`,
  ])
  return new Map((counts as { id: string; n: number }[]).map(({ id, n }) => [id, n]))
}

/** Whether there is such a document of all these rows. */
export const meetsAll = ({ document }: Pick<ResolvedDocument, 'document'>, rows: readonly Read[]): boolean =>
  rows.every(({ wire }) => meets(wire, document.enabled))

type Made = { paper: Paper; rows: readonly Read[] }

/** Rows as documents, as far as their reader sees them. */
export async function paperOf(
  asked: Call,
  found: ResolvedDocument,
  whole: Layout,
  ids: readonly string[],
): Promise<Made> {
  const { language } = whole
  const call = { ...asked, lang: language === 'zh' || language === 'en' ? language : asked.lang }
  const { served, document } = found
  const rows = await rowsNamed(call, found, ids)
  const offers = offersOf(found)
  const layout = {
    ...whole,
    facts: seenBy(call, served.resource, whole.facts),
    totals: seenBy(call, served.resource, whole.totals),
    columns: found.lines ? seenBy(call, found.lines.resource, whole.columns) : whole.columns,
  }
  const lines = layout.columns.length ? await linesOf(call, found, rows) : NO_LINES
  const [numberKey, numberField] = numberOf(found)
  const isNumberSeen = seenBy(call, served.resource, [
    { key: numberKey, label: numberField.label, look: 'text' },
  ]).length
  const summed = new Set(Object.keys(document.lines?.sums ?? {}))
  const sheets = rows.map((row): Sheet => {
    const number = isNumberSeen ? textOf(numberKey, numberField, row, call.lang) : ''
    const own = lines.of(row)
    if (own.length > LINES_MAX) throw new Refused('print_too_long', { number, max: LINES_MAX })
    const texts = (fields: readonly PaperField[], of: Map<string, Field>, one: Read) =>
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
  return { paper: { kind: found.kind, layout, sheets, time: shanghaiText(call.services.now()) }, rows }
}
