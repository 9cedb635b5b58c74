import type { Dictionary } from '#kit/resource/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { isSame } from '#kit/server/database/change-log.ts'
import type { Db } from '#kit/server/database/db.ts'
import { newId, deterministicId } from '#kit/server/database/snowflake.ts'
import type { Services } from '#kit/server/module/services.ts'
import sql, { join, raw } from 'sql-template-tag'
import { publishDictionariesChanged } from './caches.ts'
import { dict, dictBiz } from './dict.resource.ts'

type SeedRow = {
  path: string
  parentPath: string
  code: string
  key: string
  zh: string
  en: string
  colour: string | null
  remark: string | null
  sort: number
}

/**
 * Returns the dictionaries of all modules as rows, each root before its entries. Modules that declare the same code
 * share one dictionary.
 */
function rowsOf(dictionaries: readonly Dictionary[]): SeedRow[] {
  const rows = new Map<string, SeedRow>()
  for (const { code, label, entries } of dictionaries) {
    const root = `${code}/-1`
    if (!rows.has(root))
      rows.set(root, { path: root, parentPath: '', code, key: '-1', ...label, colour: null, remark: null, sort: 1 })
    for (const { key, zh, en, colour, remark } of entries) {
      const path = `${code}/${key}`
      const sort = [...rows.values()].filter((row) => row.parentPath === root).length + 1
      if (!rows.has(path))
        rows.set(path, {
          path,
          parentPath: root,
          code,
          key,
          zh,
          en,
          colour: colour ?? null,
          remark: remark ?? null,
          sort,
        })
    }
  }
  return [...rows.values()]
}

const column = (rows: readonly SeedRow[], pick: (row: SeedRow) => string | null) => rows.map(pick)

const idIn = (tenantId: string | undefined) => (path: string) =>
  deterministicId(tenantId ? `dictbiz:${tenantId}:${path}` : `dict:${path}`)

async function insertMissing(
  db: Db,
  table: string,
  rows: readonly SeedRow[],
  tenantId: string | undefined,
): Promise<number> {
  const idOf = idIn(tenantId)
  const ids = rows.map((row) => idOf(row.path))
  const parents = rows.map((row) => (row.parentPath ? idOf(row.parentPath) : '0'))
  // An entry somebody renamed or removed still has its row, so the insert conflicts and leaves it unchanged.
  return db.run(sql`
    insert into ${raw(table)} (id, ${tenantId ? raw('tenant_id, ') : raw('')}parent_id, code, dict_key, dict_value,
    dict_value_en, colour, remark, sort, is_sealed)
    select id, ${
      tenantId
        ? sql`${tenantId},
      `
        : raw('')
    }coalesce((select t.id from ${raw(table)} t where parent <> 0 and t.code = s.code and t.dict_key = '-1'
      and t.is_deleted = 0${
        tenantId
          ? sql`
        and t.tenant_id = ${tenantId}`
          : raw('')
      }), parent), code, key, zh, en, colour, remark, sort, 0
    from unnest(${ids}::bigint[], ${parents}::bigint[], ${column(rows, (row) => row.code)}::text[],
    ${column(rows, (row) => row.key)}::text[], ${column(rows, (row) => row.zh)}::text[],
      ${column(rows, (row) => row.en)}::text[], ${column(rows, (row) => row.colour)}::text[],
      ${column(rows, (row) => row.remark)}::text[], ${rows.map((row) => row.sort)}::int[])
      as s (id, parent, code, key, zh, en, colour, remark, sort)
    on conflict do nothing`)
}

/** Fields of an entry that an upgrade takes over from the declaration unless somebody changed them. */
const CARRIED = ['dictValue', 'dictValueEn', 'colour', 'remark', 'sort'] as const
type Carried = Record<(typeof CARRIED)[number], string | number | null>

const declaredOf = ({ zh, en, colour, remark, sort }: SeedRow): Carried => ({
  dictValue: zh,
  dictValueEn: en,
  colour,
  remark,
  sort,
})

/** Result of an upgrade as `code/key`: entries changed, and entries kept because people had changed them. */
type Upgrade = { carried: string[]; kept: string[] }

/**
 * Updates entries seeded by an earlier version to the current declarations, field by field. Fields a person ever
 * changed, according to the row's history, stay (decision 0036).
 */
async function upgradeRows(db: Db, rows: readonly SeedRow[], tenantId: string | undefined): Promise<Upgrade> {
  const resource = tenantId ? dictBiz : dict
  const idOf = idIn(tenantId)
  const declared = new Map(rows.map((row) => [idOf(row.path), row]))
  const ids = [...declared.keys()]
  const existing = await db.find(resource, sql`r.id = any(${ids}::bigint[])`)
  const differing = existing.flatMap((row) => {
    const seed = declared.get(row.id)!
    // Moved in the tree by hand: no longer the declared entry.
    if (row.code !== seed.code || row.dictKey !== seed.key) return []
    const keys = CARRIED.filter((key) => !isSame(row[key], declaredOf(seed)[key]))
    return keys.length ? [{ row, seed, keys }] : []
  })
  const out: Upgrade = { carried: [], kept: [] }
  if (!differing.length) return out
  const touched = await db.query<{ id: string; keys: string[] }>(sql`
    select c.row_id::text as id, array_agg(distinct k) as keys from row_change c, jsonb_object_keys(c.now) k
    where c.tenant_id = ${tenantId ?? MANAGEMENT_TENANT} and c.resource = ${resource.name} and c.user_id <> 0
    and c.row_id = any(${differing.map(({ row }) => row.id)}::bigint[]) group by c.row_id`)
  const byHand = new Map(touched.map(({ id, keys }) => [id, keys]))
  for (const { row, seed, keys } of differing) {
    const free = keys.filter((key) => !byHand.get(row.id)?.includes(key))
    if (free.length < keys.length) out.kept.push(seed.path)
    if (!free.length) continue
    await db.update(resource, row.id, Object.fromEntries(free.map((key) => [key, declaredOf(seed)[key]])))
    out.carried.push(seed.path)
  }
  return out
}

const NAMED_MAX = 30
const listed = (paths: string[]) =>
  [...new Set(paths)].slice(0, NAMED_MAX).join(', ') + (new Set(paths).size > NAMED_MAX ? ', …' : '')

/**
 * Writes the dictionaries of all modules to their tables, business ones for every tenant: adds missing entries and
 * updates those nobody changed. Returns a message on what an upgrade changed, undefined if nothing.
 */
export async function seedDictionaries(db: Db, services: Services): Promise<string | undefined> {
  const declared = services.registry.modules.flatMap((module) => module.dictionaries ?? [])
  const all: Upgrade = { carried: [], kept: [] }
  const seed = async (own: Db, rows: SeedRow[], tenantId?: string) => {
    const { carried, kept } = await upgradeRows(own, rows, tenantId)
    await insertMissing(own, tenantId ? 'dict_biz' : 'dict', rows, tenantId)
    if (carried.length) await publishDictionariesChanged(own, services, tenantId)
    all.carried.push(...carried)
    all.kept.push(...kept)
  }
  await seed(db, rowsOf(declared.filter((one) => !one.biz)))
  const biz = rowsOf(declared.filter((one) => one.biz))
  const tenants = biz.length
    ? await db.query<{ tenantId: string }>(sql`select tenant_id from tenant where is_deleted = 0`)
    : []
  for (const { tenantId } of tenants) await db.asTenant(tenantId, (own) => seed(own, biz, tenantId))
  if (!all.carried.length) return undefined
  const kept = all.kept.length ? ` Changed by hand and left so: ${listed(all.kept)}.` : ''
  return `Dictionaries follow this version in ${all.carried.length} entries: ${listed(all.carried)}.${kept}`
}

/** Gives a new tenant its own copy of the management tenant's business dictionaries. */
export async function copyBusinessDictionaries(all: Db, to: string): Promise<void> {
  const rows = await all.query<Record<string, unknown> & { id: string; parentId: string }>(sql`
    select id::text, coalesce(parent_id, 0)::text as parent_id, code, dict_key, dict_value, dict_value_en, colour, sort,
    is_sealed, remark
    from dict_biz where tenant_id = ${MANAGEMENT_TENANT} and is_deleted = 0 order by sort, id`)
  if (!rows.length) return
  // Seeded entries get the id that seeding this tenant would give them, so that a later seeding finds them and adds no
  // duplicates.
  const ids = new Map(
    rows.map((row) => [
      row.id,
      row.id === deterministicId(`dictbiz:000000:${String(row.code)}/${String(row.dictKey)}`)
        ? deterministicId(`dictbiz:${to}:${String(row.code)}/${String(row.dictKey)}`)
        : newId(),
    ]),
  )
  const values = rows.map(
    (row) =>
      sql`(${ids.get(row.id)}::bigint, ${to}, ${ids.get(row.parentId) ?? '0'}::bigint, ${row.code}, ${row.dictKey},
        ${row.dictValue}, ${row.dictValueEn}, ${row.colour}, ${row.sort}::int, ${row.isSealed}::int, ${row.remark})`,
  )
  await all.run(
    sql`insert into dict_biz (id, tenant_id, parent_id, code, dict_key, dict_value, dict_value_en, colour, sort,
      is_sealed, remark) values ${join(values)}`,
  )
}
