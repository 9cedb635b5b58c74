import { f } from '#kit/resource/index.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { nestByParent, createTreeNode, type TreePickerNode } from '#kit/server/resource/trees.ts'
import { menusOfOtherClients } from '#kit/server/mount/menus.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import {
  loadCachedMenuCatalogue,
  menuEntriesOfCaller,
  menuEntryName,
  withMenuAncestors,
  type MenuCatalogue,
  type MenuEntry,
} from './catalogue.ts'
import { menu } from './menu.resource.ts'

type MenuNode = Omit<MenuEntry, 'nameEn' | 'declared'> & { isDeleted: 0; children?: MenuNode[] }

const asNode = (entry: MenuEntry, call: Call): MenuNode => {
  const { nameEn: _nameEn, declared: _declared, ...node } = entry
  return { ...node, name: menuEntryName(entry, call.lang), isDeleted: 0 }
}

/** Whether a declared top-level directory has no entries yet, so that it is not shown. */
function isEmptyDirectory(entry: MenuEntry, catalogue: MenuCatalogue): boolean {
  return entry.declared && entry.parentId === '0' && !catalogue.entries.some((other) => other.parentId === entry.id)
}

async function boundTo(call: Call, topMenuId: string): Promise<string[]> {
  const [rows] = await readBatch(call.services.pool, { tenantId: call.caller.tenantId }, [
    sql`select menu_id::text as id from top_menu_setting where tenant_id = ${call.caller.tenantId}
      and top_menu_id = ${topMenuId}`,
  ])
  return rows!.map((row) => row.id as string)
}

/**
 * Returns the caller's menus as a tree for the sidebar, in the caller's language; only those of the top menu when one
 * is given.
 */
async function routes(
  call: Call<{ topMenuId: string | null }>,
  isShown: (entry: MenuEntry) => boolean = () => true,
): Promise<MenuNode[]> {
  const catalogue = await loadCachedMenuCatalogue(call.services)
  const held = menuEntriesOfCaller(catalogue, call.caller).filter(
    (entry) => entry.category === 1 && !isEmptyDirectory(entry, catalogue) && isShown(entry),
  )
  if (!call.input.topMenuId) return nestByParent(held.map((entry) => asNode(entry, call)))
  const bound = new Set(await boundTo(call, call.input.topMenuId))
  const shown = withMenuAncestors(
    catalogue,
    held.filter((entry) => bound.has(entry.id)).map((entry) => entry.id),
  )
  return nestByParent(held.filter((entry) => shown.has(entry.id)).map((entry) => asNode(entry, call)))
}

/**
 * Returns menus with their permitted buttons below. A button has no `children` property: older clients would show it as
 * a directory.
 */
async function buttons(call: Call): Promise<MenuNode[]> {
  const catalogue = await loadCachedMenuCatalogue(call.services)
  const menus = new Map<string, MenuNode>()
  for (const entry of menuEntriesOfCaller(catalogue, call.caller)) {
    const parent = entry.category === 2 ? catalogue.byId.get(entry.parentId) : undefined
    if (!parent) continue
    const node = menus.get(parent.id) ?? menus.set(parent.id, { ...asNode(parent, call), children: [] }).get(parent.id)!
    node.children!.push(asNode(entry, call))
  }
  return [...menus.values()]
}

async function topMenus(call: Call): Promise<Record<string, unknown>[]> {
  const name = call.lang === 'en' ? sql`coalesce(nullif(name_en, ''), name)` : sql`name`
  const [rows] = await readBatch(call.services.pool, { tenantId: call.caller.tenantId }, [
    sql`
    select id::text as id, tenant_id as "tenantId", code, ${name} as name, coalesce(source, '') as source,
    coalesce(path, '') as path, sort
    from top_menu where tenant_id = ${call.caller.tenantId} and is_deleted = 0 order by sort, id limit 200`,
  ])
  return rows!
}

/**
 * Returns everything the browser needs before it shows a page: menus, top menus, roles, and permitted buttons as codes.
 */
async function held(call: Call) {
  const catalogue = await loadCachedMenuCatalogue(call.services)
  const elsewhere = menusOfOtherClients(call.services.registry)
  const [menus, tops] = await Promise.all([
    routes({ ...call, input: { topMenuId: null } }, ({ code }) => !elsewhere.has(code)),
    topMenus(call),
  ])
  const permitted = menuEntriesOfCaller(catalogue, call.caller).filter(
    ({ category, parentId }) => category === 2 && catalogue.byId.has(parentId),
  )
  return {
    roles: call.caller.roleAliases,
    routes: menus.map(asHeld),
    topMenus: tops,
    buttons: permitted.map(({ code }) => code),
    limits: Object.fromEntries(
      Object.entries(call.caller.limits).map(([limit, ids]) => [limit, ids.length === 1 ? { only: ids[0] } : {}]),
    ),
    // The platform's users see all tenants, so custom fields of one tenant do not apply to them.
    own: call.caller.isPlatform ? {} : (call.services.own?.of(call.caller.tenantId) ?? {}),
  }
}

type HeldMenu = Pick<MenuNode, 'id' | 'code' | 'name' | 'path' | 'source' | 'isOpen'> & { children?: HeldMenu[] }

const asHeld = ({ id, code, name, path, source, isOpen, children }: MenuNode): HeldMenu => ({
  id,
  code,
  name,
  path,
  source,
  isOpen,
  ...(children?.length && { children: children.map(asHeld) }),
})

/** Returns the caller's menus as a tree for pickers, without buttons. */
async function tree(call: Call): Promise<TreePickerNode[]> {
  const held = menuEntriesOfCaller(await loadCachedMenuCatalogue(call.services), call.caller).filter(
    (entry) => entry.category === 1,
  )
  return nestByParent(held.map((entry) => createTreeNode(entry.id, entry.parentId, menuEntryName(entry, call.lang))))
}

const mine = { signedIn: 'only what the caller holds' }
const title = (zh: string, en: string) => ({ zh, en })

export const navigationRoutes = [
  defineRoute({
    method: 'GET',
    path: `${menu.path}/routes`,
    title: title('导航菜单', 'Navigation'),
    can: mine,
    tx: false,
    input: { topMenuId: f.ref('topMenu', { label: { zh: '顶部菜单', en: 'Top menu' } }) },
    handle: (call) => routes(call),
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/buttons`,
    title: title('按钮权限', 'Permitted buttons'),
    can: mine,
    tx: false,
    handle: buttons,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/top-menu`,
    title: title('顶部菜单', 'Top menus'),
    can: mine,
    tx: false,
    handle: topMenus,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/held`,
    title: title('本人的角色、菜单与按钮', 'My roles, menus and buttons'),
    can: mine,
    tx: false,
    handle: held,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/tree`,
    title: title('菜单树', 'Menu tree'),
    can: mine,
    tx: false,
    handle: tree,
  }),
]
