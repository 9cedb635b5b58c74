/** An entry of the sidebar as the shell uses it, made from what the server sends. */
export type SidebarEntry = {
  id: string
  code: string
  name: string
  path: string
  icon: string
  /** Opens outside the application, in a window of its own. */
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

/** Puts the server's menus into shape: no gaps, a childless root at `/index`, nameless ones left out. */
export function normalizeMenus(wire: SidebarEntryWire[] | undefined): SidebarEntry[] {
  return (Array.isArray(wire) ? wire : []).flatMap((menu) => process(menu, true))
}

/** Only what these roles may see; a menu without roles is for everybody. */
export function menusForRoles(menus: SidebarEntry[], roles: string[]): SidebarEntry[] {
  return menus
    .filter((menu) => !menu.meta.roles?.length || menu.meta.roles.some((role) => roles.includes(role)))
    .filter((menu) => menu.meta.menu !== false)
    .map((menu) => ({ ...menu, children: menusForRoles(menu.children, roles) }))
}

/** Every page of the menus in their order, each with the names that lead to it. */
export function listMenuPages(menus: SidebarEntry[], above: string[] = []): { menu: SidebarEntry; trail: string[] }[] {
  return menus.flatMap((menu) =>
    menu.children.length
      ? listMenuPages(menu.children, [...above, menu.name])
      : [{ menu, trail: [...above, menu.name] }],
  )
}

/** Pages whose name begins with the text, whatever its case; an empty text finds all. */
export function searchMenuPages(menus: SidebarEntry[], text: string) {
  const wanted = text.trim().toLowerCase()
  return listMenuPages(menus).filter(({ menu }) => menu.name.toLowerCase().startsWith(wanted))
}
