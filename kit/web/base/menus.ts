/** A sidebar entry as the shell uses it, converted from the server's menu. */
export type SidebarEntry = {
  id: string
  code: string
  name: string
  path: string
  icon: string
  /** Opens outside the application, in a new browser window. */
  external: boolean
  meta: MenuMeta
  children: SidebarEntry[]
}

type MenuMeta = {
  roles?: string[]
  i18n?: string
  keepAlive?: boolean
  isTab?: boolean
  isAuth?: boolean
  menu?: boolean
}

export type SidebarEntryWire = {
  id?: string
  code?: string
  name?: string
  label?: string
  path?: string
  source?: string
  icon?: string
  isOpen?: number
  meta?: MenuMeta
  children?: SidebarEntryWire[]
}

export const isHttpUrl = (path: string) => /^https?:\/\//i.test(path)

function process(wire: SidebarEntryWire, root: boolean): SidebarEntry[] {
  const name = wire.name || wire.label
  if (!name || !wire.path) return []
  const children = (wire.children ?? []).flatMap((child) => process(child, false))
  const url = isHttpUrl(wire.path)
  const path = url || children.length || !root ? wire.path : `${wire.path.replace(/\/$/, '')}/index`
  return [
    {
      id: String(wire.id ?? path),
      code: wire.code ?? '',
      name,
      path,
      icon: wire.source || wire.icon || '',
      external: url && wire.isOpen === 2,
      meta: wire.meta ?? {},
      children,
    },
  ]
}

/**
 * Converts the server's menus: fills missing values, adds `/index` to root menus without children, drops menus without
 * a name or path.
 */
export function normalizeMenus(wire: SidebarEntryWire[] | undefined): SidebarEntry[] {
  return (Array.isArray(wire) ? wire : []).flatMap((menu) => process(menu, true))
}

/** Returns the menus these roles may see; a menu without roles is visible to all. */
export function menusForRoles(menus: SidebarEntry[], roles: string[]): SidebarEntry[] {
  return menus
    .filter((menu) => !menu.meta.roles?.length || menu.meta.roles.some((role) => roles.includes(role)))
    .filter((menu) => menu.meta.menu !== false)
    .map((menu) => ({ ...menu, children: menusForRoles(menu.children, roles) }))
}

/** Returns all pages of the menus in order, each with the names of its parents and itself. */
export function listMenuPages(menus: SidebarEntry[], above: string[] = []): { menu: SidebarEntry; trail: string[] }[] {
  return menus.flatMap((menu) =>
    menu.children.length
      ? listMenuPages(menu.children, [...above, menu.name])
      : [{ menu, trail: [...above, menu.name] }],
  )
}

/** Returns pages whose name begins with the text, ignoring case; all for an empty text. */
export function searchMenuPages(menus: SidebarEntry[], text: string) {
  const wanted = text.trim().toLowerCase()
  return listMenuPages(menus).filter(({ menu }) => menu.name.toLowerCase().startsWith(wanted))
}
