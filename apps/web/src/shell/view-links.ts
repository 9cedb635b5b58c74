import { useMemo } from 'react'
import { usePlacedSavedViews, type PlacedSavedView } from '#kit/web/list/placed-views.ts'
import { useResourcePathFinder } from '#kit/web/inputs/row-link.tsx'
import type { SidebarEntry } from '#kit/web/base/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useShellTranslation } from '../words/index.ts'

const NONE: readonly PlacedSavedView[] = []

/** Returns the saved views shown as links, as a group of the menu; empty if there are none. */
export function useSavedViewMenu(): readonly SidebarEntry[] {
  const title = useShellTranslation()('menu.views')
  const isReady = useSession((session) => session.ready === 'yes')
  const pathOf = useResourcePathFinder()
  const { data: views = NONE } = usePlacedSavedViews('link', { enabled: isReady })
  return useMemo(() => {
    const children = views.flatMap(({ id, name, resource }) => {
      const path = pathOf(resource)
      return path ? [entry(`view-${id}`, name, `${path}?view=${id}`, 'layout')] : []
    })
    return children.length ? [{ ...entry('views', title, '/views', 'star'), children }] : []
  }, [views, pathOf, title])
}

const entry = (id: string, name: string, path: string, icon: string): SidebarEntry => ({
  id,
  code: '',
  name,
  path,
  icon,
  external: false,
  meta: {},
  children: [],
})
