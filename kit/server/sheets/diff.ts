import sql, { join, raw } from 'sql-template-tag'
import type { Field, FieldProblem } from '../../fields/base/field-kind.ts'
import { removeInvisibleCharacters } from '../../fields/base/clean-text.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { isSame } from '../database/change-log.ts'
import { canReadUnmasked, visibleFields } from '../database/data-scope.ts'
import { readBatch } from '../database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '../resource/list-of.ts'
import { defineRefusals, Refused, type CodesOf } from '../base/refused.ts'
import type { Caller } from '../base/caller.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { toSheetCell, findResourceField, columnHeadings, importableFields, normalizedCellText } from './cells.ts'
import { loadExportRows } from './export.ts'
import { createCellResolver, type ResolvedCell } from './resolve.ts'
import { quoteHeadings, duplicateHeadingRefusal, type SheetRow } from './read-sheet.ts'
import type { TaskProblem } from './tasks.ts'
import { cellStyleOf, type SheetCell } from './write-sheet.ts'

const refusals = defineRefusals({
  sheet_no_columns: {
    zh: '工作表“{sheet}”第 {line} 行没有可导入的列，这一行是：{found}。请使用下载的模板',
    en: 'Row {line} of sheet “{sheet}” has no importable columns. It contains: {found}. Use the template.',
  },
  sheet_wrong_id: { zh: '编号“{id}”对应的数据不存在', en: 'No record has ID “{id}”' },
  sheet_line_twice: { zh: '与第 {line} 行是同一条数据', en: 'Same record as in row {line}' },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

type Any = Resource<any, any>
type CellRef = { place: number; key: string; field: Field }
/** Result of reading a sheet's headings: which column holds which field. */
export type SheetImportPlan = {
  lang: 'zh' | 'en'
  columns: CellRef[]
  idPlace?: number
  tenantPlace?: number
  match: CellRef[]
  ignored: string[]
}
export type CellChange = { key: string; old: string; new: string }
/** Difference between one line of a sheet and the stored row. `entity` is what will be sent to `submit`. */
export type SheetRowDifference = {
  line: number
  state: 'new' | 'changed' | 'same' | 'wrong'
  title: string
  rowId?: string
  entity: Record<string, unknown>
  changes: CellChange[]
  problems: TaskProblem[]
}

/** Error values of formulas as texts, as they come back in an error workbook. */
const FAILED =
  /^#(N\/A|DIV\/0!|NAME\?|GETTING_DATA|(REF|VALUE|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|BUSY|CONNECT|UNKNOWN|PYTHON)!)$/
/** Spreadsheets keep fifteen digits of a number. */
const SURE_DIGITS = 1e15

const tidy = (heading: SheetCell) =>
  removeInvisibleCharacters(String(heading))
    .replace(/(?<![\s*])[\s*]+$/, '')
    .trim()

type SheetHeading = { place: number; text: string; key?: string }

/**
 * Headings with the fields they name, in the language that matches more of them. Headings in `own` are the kit's and
 * ignored.
 */
function headingsIn(
  resource: Any,
  usual: SheetImportPlan['lang'],
  cells: readonly SheetCell[],
  own: readonly string[],
): { lang: SheetImportPlan['lang']; headings: SheetHeading[] } {
  const texts = cells.map(tidy)
  const keysIn = (lang: SheetImportPlan['lang']) => {
    const byText = new Map([...columnHeadings(resource, lang)].map(([key, text]) => [text, key]))
    return texts.map((text) => byText.get(text) ?? (text && findResourceField(resource, text) ? text : undefined))
  }
  const found = { zh: keysIn('zh'), en: keysIn('en') }
  const count = (keys: (string | undefined)[]) => keys.filter(Boolean).length
  const lang = count(found.en) > count(found.zh) ? 'en' : count(found.zh) > count(found.en) ? 'zh' : usual
  const headings = texts.map((text, place) => ({ place, text, key: found[lang][place] }))
  return { lang, headings: headings.filter(({ text }) => text && !own.includes(text)) }
}

/**
 * The first column of each field. Fields hidden from the caller are left out, as finding rows by them would reveal
 * values.
 */
function placesOf(resource: Any, caller: Caller, headings: readonly SheetHeading[]): ReadonlyMap<string, CellRef> {
  const seen = visibleFields(resource, caller)
  const places = new Map<string, CellRef>()
  for (const { place, key } of headings) {
    if (key === undefined || places.has(key)) continue
    const field = findResourceField(resource, key)
    const isSeen = !seen || seen.has(key) || key === 'id' || key === 'tenantId'
    if (field && isSeen) places.set(key, { place, key, field })
  }
  return places
}

/** Columns of a unique field set that the caller sees unmasked; lines without an id are matched to rows by them. */
function matchOf(resource: Any, caller: Caller, places: ReadonlyMap<string, CellRef>): CellRef[] {
  const sets = [...resource.unique, ...resource.uniqueEverywhere] as readonly (readonly string[])[]
  const isWhole = (key: string) => places.has(key) && canReadUnmasked(resource, places.get(key)!.field, caller)
  return (sets.find((keys) => keys.every(isWhole)) ?? []).map((key) => places.get(key)!)
}

/**
 * Maps columns to fields by headings in either language. Columns that cannot be imported are listed in `ignored`.
 * Refuses duplicate headings, and sheets without any importable column.
 */
export function planSheetImport(
  resource: Any,
  { lang: usual, caller }: Call,
  { sheet, line, cells }: { sheet: string; line: number; cells: readonly SheetCell[] },
  ownHeadings: readonly string[],
): SheetImportPlan {
  const { lang, headings } = headingsIn(resource, usual, cells, ownHeadings)
  const places = placesOf(resource, caller, headings)
  const seen = visibleFields(resource, caller)
  const writable = new Map(importableFields(resource).filter(([key]) => !seen || seen.has(key)))
  for (const { place, text, key = '' } of headings) {
    const first = writable.has(key) || key === 'id' ? places.get(key) : undefined
    if (first && first.place !== place) throw duplicateHeadingRefusal(sheet, text, first.place, place)
  }
  const columns = headings.flatMap(({ place, key = '' }): CellRef[] => {
    const field = writable.get(key)
    return field ? [{ place, key, field }] : []
  })
  if (!columns.length) throw new Refused('sheet_no_columns', { sheet, line, found: quoteHeadings(cells) })
  const isOfRow = (key: string) => key === 'id' || (key === 'tenantId' && caller.isPlatform)
  const ignored = headings.filter(({ key = '' }) => !writable.has(key) && !isOfRow(key)).map(({ text }) => text)
  return {
    lang,
    columns,
    match: matchOf(resource, caller, places),
    ignored,
    idPlace: places.get('id')?.place,
    tenantPlace: caller.isPlatform ? places.get('tenantId')?.place : undefined,
  }
}

/** A cell's value as shown to people for comparison. */
const shown = (field: Field, cell: SheetCell): string => {
  const says = normalizedCellText(field, cell)
  return cellStyleOf(field) === 'amount' && says !== '' && Number.isFinite(Number(says))
    ? Number(says).toFixed(2)
    : says
}

const GLANCE_MAX = 500
/** Shortens a text for the list of changes; the whole text is saved. */
const glance = (text: string): string =>
  text.length > GLANCE_MAX ? `${text.slice(0, GLANCE_MAX - 1).toWellFormed()}…` : text

/**
 * Problem of a cell that lost its intended value: a failed formula, or a long number in a text field, which the
 * spreadsheet has cut.
 */
function brokenBy(field: Field, cell: SheetCell, isFailed: boolean): FieldProblem | undefined {
  if (isFailed || FAILED.test(String(cell))) return { code: 'cell_error', params: { error: cell } }
  const isCut = typeof cell === 'number' && cellStyleOf(field) === 'text' && Math.abs(cell) >= SURE_DIGITS
  return isCut ? { code: 'digits_lost' } : undefined
}

/** Whether the value means the same as the stored one. */
const isStored = (field: Field, given: unknown, stored: unknown): boolean => {
  const parsed = fieldKindOf(field).parse(given, field)
  return 'value' in parsed && isSame(parsed.value, stored)
}

const valueOf = (found: ResolvedCell): unknown => ('value' in found ? found.value : undefined)

const textOf = (row: SheetRow, place: number | undefined): string =>
  place === undefined ? '' : String(row.cells[place] ?? '').trim()

/** Finds the stored rows of lines: by id if given, otherwise by the unique fields. Returns row ids by line number. */
async function existing(
  served: ServedResource,
  call: Call,
  plan: SheetImportPlan,
  rows: readonly SheetRow[],
): Promise<Map<number, string>> {
  const byLine = new Map<number, string>()
  const open: SheetRow[] = []
  for (const row of rows) {
    const id = textOf(row, plan.idPlace)
    if (id) byLine.set(row.line, id)
    else open.push(row)
  }
  if (!open.length || !plan.match.length) return byLine

  const matchCells = (row: SheetRow) =>
    plan.match.map(({ key, field, place }) => ({
      key,
      field,
      text: normalizedCellText(field, row.cells[place] ?? ''),
      tenantId: call.caller.tenantId,
    }))
  const resolve = await createCellResolver(call, open.flatMap(matchCells))

  const byKey = new Map<string, number[]>()
  const tuples: string[][] = []
  for (const row of open) {
    const cells = matchCells(row)
    const values = cells.map((one) => {
      const owner = cells.find(({ key }) => key === one.field.same)
      const found = resolve(one, owner && valueOf(resolve(owner)))
      const parsed =
        'value' in found && found.value !== '' ? fieldKindOf(one.field).parse(found.value, one.field) : undefined
      return parsed && 'value' in parsed && parsed.value !== null ? String(parsed.value) : undefined
    })
    if (values.includes(undefined)) continue
    const key = JSON.stringify(values)
    if (!byKey.has(key)) tuples.push(values as string[])
    ;(byKey.get(key) ?? byKey.set(key, []).get(key)!).push(row.line)
  }

  if (!tuples.length) return byLine
  const names = plan.match.map((_one, at) => `c${at}`)
  const given = join([
    ...names.map((_name, at) => sql`${tuples.map((values) => values[at])}::text[]`),
    sql`${tuples.map((_one, at) => at)}::int[]`,
  ])
  const typed = raw(plan.match.map(({ field }, at) => `c${at}::${fieldKindOf(field).column(field)}`).join(', '))
  const own = join(plan.match.map(({ key }) => sql`r.${columnNameSql(key)}`))
  const list = raw(names.join(', '))

  const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`
    with g(${list}, n) as (select ${typed}, n from unnest(${given}) t(${list}, n))
    select r.id::text as id, (select min(g.n) from g where (${list}) = (${own})) as n ${visibleRowsSql(served, call)}
    and (${own}) in (select ${list} from g)`,
  ])

  for (const { id, n } of found as { id: string; n: number }[])
    for (const line of byKey.get(JSON.stringify(tuples[n]))!) byLine.set(line, id)
  return byLine
}

type Was = { wire: Record<string, unknown>; row: Record<string, unknown> }
/** A line whose cells still have to be resolved; names are looked up for all lines at once. */
type Open = {
  difference: SheetRowDifference
  was?: Record<string, unknown>
  says: { key: string; field: Field; text: string; tenantId: string }[]
}

/** Loads rows by id, both as an export shows them and as stored. */
async function loadMatchedRows(
  served: ServedResource,
  call: Call,
  plan: SheetImportPlan,
  named: Iterable<string>,
): Promise<Map<string, Was>> {
  const ids = [...new Set(named)].filter((id) => /^\d{1,18}$/.test(id))
  if (!ids.length) return new Map()
  const keys = plan.columns.flatMap(({ key, field }) => (field.same ? [key, field.same] : [key]))
  const { wire, rows } = await loadExportRows(served, { ...call, lang: plan.lang }, ids, [
    ...new Set([...keys, served.resource.title]),
  ])
  return new Map(wire.map((one, at) => [String(one.id), { wire: one, row: rows[at]! }]))
}

/** Returns why a line cannot stand for this row: unknown id, or used in an earlier line. */
function wrongRow(id: string, was: Was | undefined, lineOf: ReadonlyMap<string, number>): TaskProblem | undefined {
  if (!was) return { code: 'sheet_wrong_id', params: { id: id.slice(0, 40) } }
  const line = lineOf.get(id)
  return line === undefined ? undefined : { code: 'sheet_line_twice', params: { line } }
}

function spoil(difference: SheetRowDifference, problem: TaskProblem): void {
  difference.state = 'wrong'
  difference.problems.push(problem)
}

/** Collects the cells that differ from the stored row, and records problems visible in a cell alone. */
function readCells(
  plan: SheetImportPlan,
  row: SheetRow,
  was: Was | undefined,
  tenantId: string,
  difference: SheetRowDifference,
) {
  const says: Open['says'] = []
  for (const { key, field, place } of plan.columns) {
    const cell = row.cells[place] ?? ''
    const text = normalizedCellText(field, cell)
    const old = was ? toSheetCell(key, field, was.wire, was.row, plan.lang) : ''
    // An empty cell is no change of a field that is fixed after adding.
    if (text === normalizedCellText(field, old) || (was && text === '' && field.form === 'add')) continue
    // A spreadsheet shows midnight as a date alone, which for an end time would mean the last second of the day.
    if (was && field.isEnd && normalizedCellText({ ...field, isEnd: undefined }, cell) === old) continue
    difference.changes.push({ key, old: glance(shown(field, old)), new: glance(shown(field, cell)) })
    const broken = brokenBy(field, cell, row.errors?.has(place) ?? false)
    if (broken) spoil(difference, { key, problem: broken })
    else if (was && field.form === 'add') spoil(difference, { key, problem: { code: 'fixed_after_adding' } })
    else says.push({ key, field, text, tenantId })
  }
  return says
}

/** Puts the resolved cell values into `entity`; cells that turn out to mean the stored value are no change. */
function takeMeanings(
  { difference, was, says }: Open,
  resolve: Awaited<ReturnType<typeof createCellResolver>>,
  { resource, caller }: { resource: Any; caller: Call['caller'] },
): void {
  // References that others depend on (`same`) are resolved first; problems keep the order of the columns.
  const found = new Map<string, ResolvedCell>()
  for (const one of [...says].sort((a, b) => Number(!!a.field.same) - Number(!!b.field.same))) {
    const owner = one.field.same
    found.set(one.key, resolve(one, owner && (found.has(owner) ? valueOf(found.get(owner)!) : was?.[owner])))
  }
  for (const { key, field } of says) {
    const one = found.get(key)!
    if ('problem' in one) spoil(difference, { key, problem: one.problem })
    // For masked fields it is not revealed before saving whether the value equals the stored one.
    else if (was && canReadUnmasked(resource, field, caller) && isStored(field, one.value, was[key]))
      difference.changes = difference.changes.filter((change) => change.key !== key)
    else difference.entity[key] = one.value
  }
  if (was && difference.state === 'changed' && !difference.changes.length)
    Object.assign(difference, { state: 'same', entity: {} })
}

/** Adds the tenant's required custom fields as empty, so that a sheet without them is refused. */
function askOwn(resource: Any, { entity }: SheetRowDifference): void {
  for (const [key, field] of importableFields(resource)) if (field.own && field.required) entity[key] ??= ''
}

/**
 * Compares lines of a sheet with stored rows, cell by cell. A cell that an export would write the same, or that means
 * the same, is no change. `lineOf`: lines of rows in earlier batches.
 */
export async function diffSheetRows(
  served: ServedResource,
  call: Call,
  plan: SheetImportPlan,
  rows: readonly SheetRow[],
  lineOf = new Map<string, number>(),
): Promise<SheetRowDifference[]> {
  const { title: titleKey } = served.resource
  const idByLine = await existing(served, call, plan, rows)
  const byId = await loadMatchedRows(served, call, plan, idByLine.values())
  const titleColumn = plan.columns.find(({ key }) => key === titleKey) ?? plan.columns[0]!
  const open: Open[] = []

  const out = rows.map((row): SheetRowDifference => {
    const id = idByLine.get(row.line)
    const was = id === undefined ? undefined : byId.get(id)
    const title = was ? String(was.wire[titleKey] ?? '') : textOf(row, titleColumn.place)
    const difference: SheetRowDifference = {
      line: row.line,
      state: was ? 'changed' : 'new',
      title: title.slice(0, 200),
      rowId: id,
      entity: {},
      changes: [],
      problems: [],
    }

    if (id !== undefined) {
      const wrong = wrongRow(id, was, lineOf)
      if (wrong) {
        spoil(difference, wrong)
        return difference
      }
      lineOf.set(id, row.line)
    }

    const named = textOf(row, plan.tenantPlace)
    const tenantId = String(was?.wire.tenantId ?? (named || call.caller.tenantId))
    const says = readCells(plan, row, was, tenantId, difference)
    if (was && !difference.changes.length) return { ...difference, state: 'same' }
    if (was) Object.assign(difference.entity, { id, version: was.wire.version })
    else if (named) difference.entity.tenantId = tenantId
    open.push({ difference, was: was?.row, says })
    return difference
  })

  const resolve = await createCellResolver(
    { ...call, lang: plan.lang },
    open.flatMap(({ says }) => says),
  )

  for (const one of open) {
    takeMeanings(one, resolve, { resource: served.resource, caller: call.caller })
    if (!one.was) askOwn(served.resource, one.difference)
  }
  return out
}
