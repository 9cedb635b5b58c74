import { isHttpUrl, listMenuPages, type SidebarEntry } from '#kit/web/base/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { findPageEntry } from '../modules.ts'
import { t, type ShellWordKey } from '../words/index.ts'

/** Text keys of pages that every signed-in user may open, whether in the menu or not. */
const fixed: Record<string, ShellWordKey> = {
  '/wel/index': 'home',
  '/wel/dashboard': 'console',
  '/info/index': 'personal',
  '/dict-horizontal/index': 'dictionary.beside',
  '/dict-vertical/index': 'dictionary.above',
  '/logs/index': 'logs',
  '/test/index': 'mock',
}

/** Pages that are another layout of a menu page; they need the permission of that page. */
const arrangementOf: Record<string, string> = {
  '/dict-horizontal/index': '/system/dict',
  '/dict-vertical/index': '/system/dict',
}

const FRAME = '/myiframe/'

/**
 * Returns the address inside the application of a menu entry; an external page gets the address of its embedding page.
 */
export const appPathOfMenu = (menu: SidebarEntry) =>
  isHttpUrl(menu.path) ? FRAME + encodeURIComponent(menu.path) : menu.path

function menuOf(pathname: string, menus: SidebarEntry[]) {
  const all = listMenuPages(menus).map(({ menu }) => menu)
  const found = all.find((menu) => appPathOfMenu(menu) === pathname || menu.path === pathname)
  if (found || !findPageEntry(pathname)?.path.includes(':')) return found
  // A page of one row has the name of the menu page it belongs to.
  return all.filter((menu) => pathname.startsWith(menu.path)).toSorted((a, b) => b.path.length - a.path.length)[0]
}

/** Returns whether the user may open an address; `unknown` if there is no such page. */
export function checkPageAccess(pathname: string): 'yes' | 'no' | 'unknown' {
  const entry = findPageEntry(pathname)
  if (!entry) return 'unknown'
  if ((pathname in fixed && !(pathname in arrangementOf)) || /[:*]/.test(entry.path)) return 'yes'
  const path = arrangementOf[pathname] ?? pathname
  const { menuAll } = useSession.getState()
  const granted = listMenuPages(menuAll).some(({ menu }) => menu.path === path || path.startsWith(`${menu.path}/`))
  return granted ? 'yes' : 'no'
}

/** Returns the name of a page: that of its menu entry, otherwise a text of the shell; "" if unknown. */
export function pageNameOf(pathname: string, menus: SidebarEntry[]): string {
  const menu = menuOf(pathname, menus)
  if (menu && pathname !== '/wel/index') return menu.name
  const word = fixed[pathname] ?? (pathname.startsWith(FRAME) ? 'embedded' : undefined)
  return word ? t(word) : ''
}

/** Returns what distinguishes pages of equal name: the embedded site, or the last digits of the row's id. */
function hintOf(pathname: string) {
  if (pathname.startsWith(FRAME)) return /^https?:\/\/([^/?#]+)/i.exec(embeddedUrlOf(pathname))?.[1] ?? ''
  const number = findPageEntry(pathname)?.path.includes(':')
    ? pathname.split('/').findLast((part) => /\d{4}/.test(part))
    : undefined
  return number?.slice(-4) ?? ''
}

/**
 * Returns the names of the open tabs by key. Tabs of equal name, such as two customers called alike, get a
 * distinguishing suffix.
 */
export function distinctTabNames(
  open: readonly { key: string; title?: string }[],
  menus: SidebarEntry[],
): Map<string, string> {
  const plain = open.map((tab) => tab.title ?? (pageNameOf(tab.key, menus) || tab.key))
  const hinted = open.map(({ key }, at) => {
    const hint = plain.filter((name) => name === plain[at]).length > 1 ? hintOf(key) : ''
    return hint ? `${plain[at]} · ${hint}` : plain[at]!
  })
  return new Map(
    open.map(({ key }, at) => {
      const before = hinted.slice(0, at).filter((name) => name === hinted[at]).length
      return [key, before ? `${hinted[at]} (${before + 1})` : hinted[at]!]
    }),
  )
}

const icons: Record<string, string> = {
  '/wel/index': 'home',
  '/wel/dashboard': 'dashboard',
  '/info/index': 'idcard',
  '/dict-horizontal/index': 'book',
  '/dict-vertical/index': 'book',
  '/logs/index': 'bug',
  '/test/index': 'experiment',
}

export const pageIconOf = (pathname: string, menus: SidebarEntry[]) =>
  icons[pathname] ?? menuOf(pathname, menus)?.icon ?? (pathname.startsWith(FRAME) ? 'global' : undefined)

/** Returns the ids of the menus from the top level down to an address; empty if it is in no menu. */
export function menuIdsLeadingTo(pathname: string, menus: SidebarEntry[]): string[] {
  for (const menu of menus) {
    if (!menu.children.length && (appPathOfMenu(menu) === pathname || pathname.startsWith(`${menu.path}/`)))
      return [menu.id]
    const below = menuIdsLeadingTo(pathname, menu.children)
    if (below.length) return [menu.id, ...below]
  }
  return []
}

/** Returns the external page embedded at an address of ours; "" if malformed. */
export function embeddedUrlOf(pathname: string) {
  try {
    return decodeURIComponent(pathname.slice(FRAME.length))
  } catch {
    return ''
  }
}

/** Returns whether an external page may be embedded: only if a menu of the user points to it. */
export function isEmbeddableUrl(url: string) {
  return listMenuPages(useSession.getState().menuAll).some(({ menu }) => isHttpUrl(menu.path) && menu.path === url)
}
