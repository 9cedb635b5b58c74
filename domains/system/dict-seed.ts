import type { Dictionary } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/db.ts'
import { newId, stableId } from '#kit/server/snowflake.ts'
import type { Registry } from '#kit/server/services.ts'
import sql, { join, raw } from 'sql-template-tag'

type SeedRow = { path: string; parentPath: string; code: string; key: string; zh: string; en: string; colour: string | null; remark: string | null; sort: number }

/** All rooms' dictionaries as rows, a root before its entries. Rooms that declare the same code share it. */
function rowsOf(dictionaries: readonly Dictionary[]): SeedRow[] {
  const rows = new Map<string, SeedRow>()
  for (const { code, label, entries } of dictionaries) {
    const root = `${code}/-1`
    if (!rows.has(root)) rows.set(root, { path: root, parentPath: '', code, key: '-1', ...label, colour: null, remark: null, sort: 1 })
    for (const { key, zh, en, colour, remark } of entries) {
      const path = `${code}/${key}`
      const sort = [...rows.values()].filter((row) => row.parentPath === root).length + 1
      if (!rows.has(path)) rows.set(path, { path, parentPath: root, code, key, zh, en, colour: colour ?? null, remark: remark ?? null, sort })
    }
  }
  return [...rows.values()]
}

const column = (rows: readonly SeedRow[], pick: (row: SeedRow) => string | null) => rows.map(pick)

async function insertMissing(db: Db, table: string, rows: readonly SeedRow[], tenantId: string | undefined): Promise<number> {
  const idOf = (path: string) => stableId(tenantId ? `dictbiz:${tenantId}:${path}` : `dict:${path}`)
  const ids = rows.map((row) => idOf(row.path))
  const parents = rows.map((row) => (row.parentPath ? idOf(row.parentPath) : '0'))
  // An entry somebody renamed or removed keeps its row, so it conflicts and stays as it was made.
  return db.run(sql`
    insert into ${raw(table)} (id, ${tenantId ? raw('tenant_id, ') : raw('')}parent_id, code, dict_key, dict_value, dict_value_en, colour, remark, sort, is_sealed)
    select id, ${tenantId ? sql`${tenantId}, ` : raw('')}coalesce((select t.id from ${raw(table)} t where parent <> 0 and t.code = s.code and t.dict_key = '-1' and t.is_deleted = 0${tenantId ? sql` and t.tenant_id = ${tenantId}` : raw('')}), parent), code, key, zh, en, colour, remark, sort, 0
    from unnest(${ids}::bigint[], ${parents}::bigint[], ${column(rows, (row) => row.code)}::text[], ${column(rows, (row) => row.key)}::text[], ${column(rows, (row) => row.zh)}::text[],
      ${column(rows, (row) => row.en)}::text[], ${column(rows, (row) => row.colour)}::text[], ${column(rows, (row) => row.remark)}::text[], ${rows.map((row) => row.sort)}::int[])
      as s (id, parent, code, key, zh, en, colour, remark, sort)
    on conflict do nothing`)
}

/** Puts the words of all rooms into the dictionary tables, business ones for every tenant; never touches what is there. */
export async function seedDictionaries(db: Db, registry: Registry): Promise<void> {
  const declared = registry.rooms.flatMap((room) => room.dictionaries ?? [])
  await insertMissing(db, 'dict', rowsOf(declared.filter((one) => !one.biz)), undefined)
  const biz = rowsOf(declared.filter((one) => one.biz))
  if (!biz.length) return
  const tenants = await db.query<{ tenantId: string }>(sql`select tenant_id from tenant where is_deleted = 0`)
  for (const { tenantId } of tenants) await insertMissing(db, 'dict_biz', biz, tenantId)
}

/** Gives a new tenant its own copy of the management tenant's business dictionaries. */
export async function copyBizDictionaries(all: Db, to: string): Promise<void> {
  const rows = await all.query<Record<string, unknown> & { id: string; parentId: string }>(sql`
    select id::text, coalesce(parent_id, 0)::text as parent_id, code, dict_key, dict_value, dict_value_en, colour, sort, is_sealed, remark
    from dict_biz where tenant_id = '000000' and is_deleted = 0 order by sort, id`)
  if (!rows.length) return
  // Seeded entries get the id a later seeding would give them, so that it finds them and adds nothing twice.
  const ids = new Map(rows.map((row) => [row.id, row.id === stableId(`dictbiz:000000:${String(row.code)}/${String(row.dictKey)}`) ? stableId(`dictbiz:${to}:${String(row.code)}/${String(row.dictKey)}`) : newId()]))
  const values = rows.map((row) => sql`(${ids.get(row.id)}::bigint, ${to}, ${ids.get(row.parentId) ?? '0'}::bigint, ${row.code}, ${row.dictKey}, ${row.dictValue}, ${row.dictValueEn}, ${row.colour}, ${row.sort}::int, ${row.isSealed}::int, ${row.remark})`)
  await all.run(sql`insert into dict_biz (id, tenant_id, parent_id, code, dict_key, dict_value, dict_value_en, colour, sort, is_sealed, remark) values ${join(values)}`)
}
