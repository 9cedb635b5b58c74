import { useMemo } from 'react'
import { usePlacedViews, type PlacedView } from '#kit/web/list/placed-views.ts'
import { usePathFinder } from '#kit/web/list/row-link.tsx'
import type { Menu } from '#kit/web/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useT } from '../words/index.ts'

const NONE: readonly PlacedView[] = []

/** Saved views that are links, as a group of the menu; nothing where there are none. */
export function useViewLinks(): readonly Menu[] {
  const title = useT()('menu.views')
  const isReady = useSession((session) => session.ready === 'yes')
  const pathOf = usePathFinder()
  const { data: views = NONE } = usePlacedViews('link', { enabled: isReady })
  return useMemo(() => {
    const children = views.flatMap(({ id, name, resource }) => {
      const path = pathOf(resource)
      return path ? [entry(`view-${id}`, name, `${path}?view=${id}`, 'layout')] : []
    })
    return children.length ? [{ ...entry('views', title, '/views', 'star'), children }] : []
  }, [views, pathOf, title])
}

const entry = (id: string, name: string, path: string, icon: string): Menu => ({
  id,
  code: '',
  name,
  path,
  icon,
  external: false,
  meta: {},
  children: [],
})
