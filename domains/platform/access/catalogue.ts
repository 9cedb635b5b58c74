import type { Lang } from '#kit/resource/index.ts'
import { MANAGEMENT_TENANT, type Caller } from '#kit/server/base/caller.ts'
import { readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { cacheUntilRightsChange } from './remembered.ts'

export type MenuEntry = {
  id: string
  parentId: string
  code: string
  name: string
  nameEn: string
  alias: string
  path: string
  source: string
  sort: number
  category: number
  action: number
  isOpen: number
  component: string
  remark: string
  declared: boolean
}

/** All menus and buttons, in display order. */
export type MenuCatalogue = { entries: readonly MenuEntry[]; byId: ReadonlyMap<string, MenuEntry> }

const statement: Sql = sql`
  select id::text as id, coalesce(parent_id, 0)::text as "parentId", code, name, coalesce(name_en, '') as "nameEn",
  coalesce(alias, '') as alias, coalesce(path, '') as path,
    coalesce(source, '') as source, coalesce(sort, 0) as sort, coalesce(category, 1) as category, coalesce(action,
    0) as action, coalesce(is_open, 1) as "isOpen",
    coalesce(component, '') as component, coalesce(remark, '') as remark, coalesce(declared, false) as declared
  from menu where is_deleted = 0 order by sort, id`

const fromRows = (rows: readonly object[]): MenuCatalogue => {
  const entries = rows as readonly MenuEntry[]
  return { entries, byId: new Map(entries.map((entry) => [entry.id, entry])) }
}

/** Returns the menus from memory; they are read again after a change of rights. */
export const loadCachedMenuCatalogue = cacheUntilRightsChange<MenuCatalogue>(async (services) =>
  fromRows((await readBatch(services.pool, { tenantId: MANAGEMENT_TENANT }, [statement]))[0]!),
)

/** Reads the menus in a transaction, with its uncommitted changes. */
export const loadMenuCatalogue = async (db: Db): Promise<MenuCatalogue> => fromRows(await db.query(statement))

/** Returns the ids and those of all menus above them: a granted page is reached through its directories. */
export function withMenuAncestors(catalogue: MenuCatalogue, ids: Iterable<string>): Set<string> {
  const out = new Set<string>()
  for (const id of ids) {
    for (let entry = catalogue.byId.get(id); entry && !out.has(entry.id); entry = catalogue.byId.get(entry.parentId))
      out.add(entry.id)
  }
  return out
}

/**
 * Returns the menus a tenant package allows: those chosen, the menus above them, and the buttons of the chosen pages.
 */
export function menuIdsOfPackage(catalogue: MenuCatalogue, menuIds: readonly string[]): Set<string> {
  const chosen = new Set(menuIds)
  const out = withMenuAncestors(catalogue, chosen)
  for (const entry of catalogue.entries) if (entry.category === 2 && chosen.has(entry.parentId)) out.add(entry.id)
  return out
}

/** Entries the caller holds; a platform administrator holds all. */
export const menuEntriesOfCaller = (catalogue: MenuCatalogue, caller: Caller): MenuEntry[] =>
  catalogue.entries.filter((entry) => caller.isPlatform || caller.permissions.has(entry.code))

export const menuEntryName = (entry: MenuEntry, lang: Lang): string => (lang === 'en' && entry.nameEn) || entry.name
