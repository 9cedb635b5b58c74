/** An entry of the sidebar as the shell uses it, made from what the server sends. */
export type Menu = {
  id: string
  code: string
  name: string
  path: string
  icon: string
  /** Opens outside the application, in a window of its own. */
  external: boolean
  meta: MenuMeta
  children: Menu[]
}

type MenuMeta = {
  roles?: string[]
  i18n?: string
  keepAlive?: boolean
  isTab?: boolean
  isAuth?: boolean
  menu?: boolean
}

export type WireMenu = {
  id?: string
  code?: string
  name?: string
  label?: string
  path?: string
  source?: string
  icon?: string
  isOpen?: number
  meta?: MenuMeta
  children?: WireMenu[]
}

export const isUrl = (path: string) => /^https?:\/\//i.test(path)

function process(wire: WireMenu, root: boolean): Menu[] {
  const name = wire.name || wire.label
  if (!name || !wire.path) return []
  const children = (wire.children ?? []).flatMap((child) => process(child, false))
  const url = isUrl(wire.path)
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
export function processMenus(wire: WireMenu[] | undefined): Menu[] {
  return (Array.isArray(wire) ? wire : []).flatMap((menu) => process(menu, true))
}

/** Only what these roles may see; a menu without roles is for everybody. */
export function menusForRoles(menus: Menu[], roles: string[]): Menu[] {
  return menus
    .filter((menu) => !menu.meta.roles?.length || menu.meta.roles.some((role) => roles.includes(role)))
    .filter((menu) => menu.meta.menu !== false)
    .map((menu) => ({ ...menu, children: menusForRoles(menu.children, roles) }))
}

/** Every page of the menus in their order, each with the names that lead to it. */
export function leaves(menus: Menu[], above: string[] = []): { menu: Menu; trail: string[] }[] {
  return menus.flatMap((menu) =>
    menu.children.length ? leaves(menu.children, [...above, menu.name]) : [{ menu, trail: [...above, menu.name] }],
  )
}

/** Pages whose name begins with the text, whatever its case; an empty text finds all. */
export function searchMenus(menus: Menu[], text: string) {
  const wanted = text.trim().toLowerCase()
  return leaves(menus).filter(({ menu }) => menu.name.toLowerCase().startsWith(wanted))
}
