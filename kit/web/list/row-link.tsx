import { useCallback, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { SidebarEntry } from '../menus.ts'
import { useSession } from '../session/session.ts'

function find(menus: SidebarEntry[], code: string): SidebarEntry | undefined {
  for (const menu of menus) {
    if (menu.code === code && !menu.external) return menu
    const below = find(menu.children, code)
    if (below) return below
  }
  return undefined
}

/** The address of a resource's page for this user, undefined when there is none among the menus. */
export const useResourcePath = (resource: string) => useSession((session) => find(session.menuAll, resource)?.path)

/** The same of several resources, in their order. */
export function useResourcePaths(resources: readonly string[]): (string | undefined)[] {
  const menus = useSession((session) => session.menuAll)
  return resources.map((resource) => find(menus, resource)?.path)
}

/** The same, of whatever resource is asked for later. */
export function useResourcePathFinder(): (resource: string) => string | undefined {
  const menus = useSession((session) => session.menuAll)
  return useCallback((resource) => find(menus, resource)?.path, [menus])
}

const rowPages = new Map<string, string>()

/** Modules say which of their rows have a page of their own. */
export const registerRowPages = (pages: Record<string, string>) => {
  for (const [resource, page] of Object.entries(pages)) rowPages.set(resource, page)
}

/** The address of a row for this user: its own page, or its detail in the list. Undefined without the page for it. */
export function useRowPath(resource: string, id: string): string | undefined {
  const path = useResourcePath(resource)
  return (
    path &&
    (rowPages.get(resource)?.replace(':id', encodeURIComponent(id)) ?? `${path}?detail=${encodeURIComponent(id)}`)
  )
}

/** A row's name, leading to it when the user has the page for it; plain words otherwise. */
export function RowLink({ to, id, children }: { to: string; id: string; children: ReactNode }) {
  const path = useRowPath(to, id)
  if (!path) return <>{children}</>
  return (
    <Link to={path} onClick={(event) => event.stopPropagation()}>
      {children}
    </Link>
  )
}
