import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import {
  type PatchOf,
  type RowOf,
  f,
  localize,
  type Lang,
  objectSchema,
  integerSchema,
  textSchema,
} from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { queryFilterSql } from '#kit/server/query/filters.ts'
import { visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { parseEntity } from '#kit/server/request/parse-input.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { handleRemoveCall } from '#kit/server/resource/remove-of.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call, type ResourceHooks } from '#kit/server/module/module.ts'
import { handleSubmitCall } from '#kit/server/resource/submit-of.ts'
import sql, { empty, raw } from 'sql-template-tag'
import { publishRegionsChanged } from './caches.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { regionLevelKeys, region } from './region.resource.ts'
import { readSheet } from '#kit/server/sheets/read-sheet.ts'
import { downloadResponse, writeSingleSheetWorkbook } from '#kit/server/sheets/write-sheet.ts'

type Row = RowOf<typeof region>
type Draft = PatchOf<typeof region>

const COUNTRY = '00'
const levels = Object.entries(regionLevelKeys) as unknown as [
  keyof typeof regionLevelKeys,
  (typeof regionLevelKeys)[keyof typeof regionLevelKeys],
][]

const byCode = (db: Db, code: string) => db.find(region, sql`r.code = ${code}`).then((rows) => rows[0])

/** Sets the fields that follow from the parent: ancestors, and code and name of every level down to its own. */
async function deriveRegionFields(draft: Draft, was: Row | undefined, call: Call): Promise<void> {
  const own = placeOf(draft, was)
  const parent = await parentOf(call.db, own)
  draft.code = own.code
  draft.parentCode = own.parentCode
  draft.ancestors = parent ? [parent.ancestors, parent.code].filter(Boolean).join(',') : ''
  for (const [level, key] of levels) {
    const isOwn = Number(level) === own.level
    draft[`${key}Code`] = isOwn ? own.code : (parent?.[`${key}Code`] ?? null)
    draft[`${key}Name`] = isOwn ? own.name : (parent?.[`${key}Name`] ?? null)
  }
}

type RegionPlace = { code: string; parentCode: string; level: number; name: string | null }

/** Returns code, parent, level and name of a region. Code and parent of an existing one never change. */
const placeOf = (draft: Draft, was: Row | undefined): RegionPlace => ({
  code: was?.code ?? draft.code!,
  parentCode: was ? was.parentCode! : (draft.parentCode ?? COUNTRY),
  level: draft.regionLevel ?? was?.regionLevel ?? 0,
  name: draft.name ?? was?.name ?? null,
})

/**
 * Returns the parent region; undefined for the country. Refuses an unknown parent or one that is not of a higher level.
 */
async function parentOf(db: Db, { code, parentCode, level, name }: RegionPlace): Promise<Row | undefined> {
  if (code === COUNTRY) return undefined
  const parent = await byCode(db, parentCode)
  if (!parent) throw invalidFieldRefusal(region, 'parentCode', 'not_found')
  if (level <= parent.regionLevel) throw new Refused('region_level', { name })
  return parent
}

/** Copies a changed name to all regions below. */
async function rename(row: Row, was: Row | undefined, { db, services }: Call): Promise<void> {
  const key = regionLevelKeys[row.regionLevel as keyof typeof regionLevelKeys]
  if (was && key && was.name !== row.name) {
    await db.run(sql`update region set ${raw(`${key}_name`)} = ${row.name} where ${raw(`${key}_code`)} = ${row.code}`)
  }
  publishRegionsChanged(db, services)
}

const hooks: ResourceHooks<typeof region> = {
  key: 'code',
  without: ['submit', 'remove'],
  beforeSave: deriveRegionFields,
  afterSave: rename,
  beforeRemove: async (rows, call) => {
    const codes = rows.map((row) => row.code)
    if (codes.includes(COUNTRY)) throw new Refused('region_root')
    if (
      await call.db.one(
        sql`select 1 from region where parent_code = any(${codes}) and not code = any(${codes}) limit 1`,
      )
    )
      throw new Refused('has_children')
    publishRegionsChanged(call.db, call.services)
  },
  adds: objectSchema({ level: integerSchema, parentName: textSchema }),
  present: async (wire, rows, call) => {
    const parents = [...new Set(rows.map((row) => row.parentCode!))]
    const names = await call.services.systemPool.query<{ code: string; name: string }>(
      'select code, name from region where code = any($1)',
      [parents],
    )
    const nameOf = new Map(names.rows.map((row) => [row.code, row.name]))
    for (const row of wire) {
      row.level = row.regionLevel
      row.parentName = nameOf.get(row.parentCode as string) ?? ''
    }
  },
}

export const regionServer = serve(region, hooks)

type Below = {
  code: string
  parentCode: string
  name: string
  regionLevel: number
  sort: number
  isAbolished: boolean
  hasChildren: boolean
}

/** Returns one level below a code, or all matches anywhere when a search names no parent. */
async function below(call: Call): Promise<Below[]> {
  const { parentCode, ...rest } = call.query
  const isSearch = !parentCode && (rest.code || rest.name)
  return call.db.query<Below>(sql`
    select r.code, r.parent_code, r.name, r.region_level, r.sort, r.is_abolished, exists (select 1 from region c
    where c.parent_code = r.code) as has_children
    ${visibleRowsSql(regionServer, call)}${
      isSearch
        ? empty
        : sql`
      and r.parent_code = ${parentCode || COUNTRY}`
    }${queryFilterSql(region, rest, call.caller)} order by r.code limit 2000`)
}

const abolished = { zh: '{name}（已撤销）', en: '{name} (abolished)' }

/** Converts a region to a tree node. An abolished one is shown but cannot be chosen. */
const asNode = (row: Below, lang: Lang) => ({
  id: row.code,
  parentId: row.parentCode,
  title: row.isAbolished ? localize(abolished, lang, { name: row.name }) : row.name,
  ...(row.isAbolished && { disabled: true }),
  key: row.code,
  value: row.code,
  hasChildren: row.hasChildren,
})

/** Adds the row id to a body that names a region by its code. Accepts the former name `level` of the level. */
async function withId(call: Call): Promise<Call> {
  if (typeof call.body !== 'object' || call.body === null || Array.isArray(call.body)) return call
  const body: Record<string, unknown> = { ...call.body }
  body.regionLevel ??= body.level
  const code = typeof body.code === 'string' || typeof body.code === 'number' ? String(body.code).slice(0, 12) : ''
  const found = code && !code.includes('\u0000') ? await byCode(call.db, code) : undefined
  if (found) body.id = found.id
  else if (code) delete body.id
  return { ...call, body }
}

/** Removes regions by code or row id. */
async function removal(call: Call): Promise<undefined> {
  const given = String(call.query.id ?? call.query.ids ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(0, 1000)
  const found = await call.db.query<{ id: string; code: string }>(
    sql`select id::text, code from region where code = any(${given}) or id::text = any(${given})`,
  )
  const known = new Set(found.flatMap((row) => [row.id, row.code]))
  if (given.some((one) => !known.has(one))) throw new Refused('not_found', { label: region.label })
  return handleRemoveCall(regionServer, {
    ...call,
    query: { ...call.query, ids: found.map((row) => row.id).join(',') },
  })
}

const SHEET = ['code', 'parentCode', 'name', 'regionLevel', 'sort', 'remark'] as const
const headings = (call: Call) => SHEET.map((key) => region.fields[key].label[call.lang])

async function exported(call: Call) {
  const rows = await call.db.query<Record<(typeof SHEET)[number], string | number | null>>(sql`
    select r.code, r.parent_code, r.name, r.region_level, r.sort,
    r.remark ${visibleRowsSql(regionServer, call)}${queryFilterSql(region, call.query, call.caller)}
      order by r.code limit
    50000`)
  const name = localize(region.label, call.lang)
  return call.reply(
    downloadResponse(
      name,
      await writeSingleSheetWorkbook(
        name,
        headings(call),
        rows.map((row) => SHEET.map((key) => row[key] ?? '')),
      ),
    ),
  )
}

const SHOWN = 10

/** Imports regions from a sheet: all rows, or none with a list of the lines with errors. */
async function imported(call: Call<{ isCovered: number | null }>) {
  requirePlatformCaller(call)
  if (!call.file) throw new Refused('missing_parameter', { name: 'file' })
  const titles = headings(call)
  const lines = await readSheet(call.file.bytes, titles.slice(0, 4))
  const problems: string[] = []
  const entities = lines.map(({ line, cells }) => {
    const given = Object.fromEntries(
      SHEET.map((key, index) => [key, cells[titles[index]!] ?? '']).filter(([, value]) => value !== ''),
    )
    const { problems: found } = parseEntity(region.fields, given, true)
    problems.push(
      ...Object.values(found).map((one) => `${line}: ${fieldProblemSentence(one.problem, one.field, call.lang)}`),
    )
    return { line, given }
  })
  if (problems.length) throw new Refused('sheet_rows', { rows: problems.slice(0, SHOWN).join('; ') })
  const known = new Set(
    (
      await call.db.query<{ code: string }>(
        sql`select code from region where code = any(${entities.map((one) => one.given.code)})`,
      )
    ).map((row) => row.code),
  )
  let count = 0
  for (const { given } of entities.sort((a, b) => Number(a.given.regionLevel) - Number(b.given.regionLevel))) {
    if (known.has(given.code) && call.input.isCovered !== 1) continue
    await handleSubmitCall(regionServer, await withId({ ...call, body: given }))
    count++
  }
  return { count, skipped: entities.length - count }
}

const title = (zh: string, en: string) => ({ zh: `行政区划${zh}`, en: `Region: ${en}` })
const shown = { signedIn: 'regions stand in every address form' } as const
const { path } = region

export const regionRoutes = [
  defineRoute({
    method: 'GET',
    path: `${path}/lazy-tree`,
    title: title('下级树', 'tree below'),
    can: shown,
    handle: async (call) => (await below(call)).map((row) => asNode(row, call.lang)),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/lazy-list`,
    title: title('下级列表', 'list below'),
    can: 'region',
    handle: (call) => below(call),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/select`,
    title: title('下级选项', 'choices below'),
    can: shown,
    handle: async (call) =>
      (await below({ ...call, query: { parentCode: call.query.code || COUNTRY } })).filter((row) => !row.isAbolished),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/submit`,
    title: title('保存', 'save'),
    can: ['region_add', 'region_edit'],
    handle: async (call) => handleSubmitCall(regionServer, await withId(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/remove`,
    title: title('删除', 'remove'),
    can: 'region_delete',
    handle: removal,
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/export-region`,
    title: title('导出', 'export'),
    can: 'region_export',
    handle: exported,
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/export-template`,
    title: title('导入模板', 'import template'),
    can: 'region_import',
    tx: false,
    handle: async (call) =>
      call.reply(
        downloadResponse(
          localize(region.label, call.lang),
          await writeSingleSheetWorkbook(localize(region.label, call.lang), headings(call), []),
        ),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/import-region`,
    title: title('导入', 'import'),
    can: 'region_import',
    uploadMaxBytes: 5_242_880,
    input: { isCovered: f.number({ label: { zh: '是否覆盖', en: 'Overwrite' }, min: 0, max: 1 }) },
    handle: imported,
  }),
]
