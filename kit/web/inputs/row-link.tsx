import { useCallback, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { SidebarEntry } from '../base/menus.ts'
import { useSession } from '../session/session.ts'

function find(menus: SidebarEntry[], code: string): SidebarEntry | undefined {
  for (const menu of menus) {
    if (menu.code === code && !menu.external) return menu
    const below = find(menu.children, code)
    if (below) return below
  }
  return undefined
}

/** Returns the path of a resource's page in this user's menus; undefined without one. */
export const useResourcePath = (resource: string) => useSession((session) => find(session.menuAll, resource)?.path)

/** Returns the paths of several resources' pages, in their order, as `useResourcePath` does. */
export function useResourcePaths(resources: readonly string[]): (string | undefined)[] {
  const menus = useSession((session) => session.menuAll)
  return resources.map((resource) => find(menus, resource)?.path)
}

/** Returns a function that finds the path of a resource's page, as `useResourcePath` does. */
export function useResourcePathFinder(): (resource: string) => string | undefined {
  const menus = useSession((session) => session.menuAll)
  return useCallback((resource) => find(menus, resource)?.path, [menus])
}

const rowPages = new Map<string, string>()

/** Registers which resources have a page for each row, by resource name, with `:id` in the path. */
export const registerRowPages = (pages: Record<string, string>) => {
  for (const [resource, page] of Object.entries(pages)) rowPages.set(resource, page)
}

/**
 * Returns the address of a row for this user: its own page, or its detail in the list. Undefined if the user has no
 * page of the resource.
 */
export function useRowPath(resource: string, id: string): string | undefined {
  const path = useResourcePath(resource)
  return (
    path &&
    (rowPages.get(resource)?.replace(':id', encodeURIComponent(id)) ?? `${path}?detail=${encodeURIComponent(id)}`)
  )
}

/** Shows a row's name as a link to the row, or as plain text if the user has no page for it. */
export function RowLink({ to, id, children }: { to: string; id: string; children: ReactNode }) {
  const path = useRowPath(to, id)
  if (!path) return <>{children}</>
  return (
    <Link to={path} onClick={(event) => event.stopPropagation()}>
      {children}
    </Link>
  )
}
