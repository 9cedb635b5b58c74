import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLang } from '#kit/web/language.tsx'
import { useScreen } from '#kit/web/screen.ts'
import { useSession } from '#kit/web/session/session.ts'
import { settings } from '#kit/web/settings.ts'
import { useT } from '../words/index.ts'
import { showDrawer, useFrame } from './frame.ts'
import { MenuTree } from './menu-tree.tsx'
import { MenuRail } from './menu-rail.tsx'
import type { Menu } from '#kit/web/menus.ts'
import { useViewLinks } from './view-links.ts'

function Brand() {
  const language = useLang()
  return (
    <div className="brand">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      <span>{settings.product[language]}</span>
    </div>
  )
}

/** What the user may open, and below it the saved views that are links. */
function useMenus(): Menu[] {
  const menus = useSession((session) => session.menus)
  const links = useViewLinks()
  return useMemo(() => [...menus, ...links], [menus, links])
}

function Menus({ onPick }: { onPick?: () => void }) {
  const t = useT()
  const menus = useMenus()
  const ready = useSession((session) => session.ready)
  if (ready === 'yes' && !menus.length) return <p className="side-empty">{t('menu.empty')}</p>
  if (!menus.length && ready !== 'failed')
    return <div className="side-skeleton" aria-label={t('loading')} role="status" />
  return <MenuTree menus={menus} onPick={onPick} />
}

/** The menus: at the side of a desk, behind a button on a phone. */
export function Sidebar() {
  const t = useT()
  const phone = useScreen() === 0
  const collapsed = useFrame((frame) => frame.collapsed)
  const menus = useMenus()
  if (phone) return <Drawer />
  return (
    <aside className="side">
      <Brand />
      <nav aria-label={t('menu')} className="side-scroll">
        {collapsed ? <MenuRail menus={menus} /> : <Menus />}
      </nav>
    </aside>
  )
}

function Drawer() {
  const t = useT()
  const open = useFrame((frame) => frame.drawer)
  const box = useRef<HTMLDialogElement>(null)
  const { pathname } = useLocation()
  const [before, setBefore] = useState(pathname)
  useEffect(() => {
    if (open && !box.current?.open) box.current?.showModal()
    if (!open) box.current?.close()
  }, [open])
  useEffect(() => {
    if (before !== pathname) {
      setBefore(pathname)
      showDrawer(false)
    }
  }, [before, pathname])
  return (
    <dialog
      ref={box}
      className="drawer side"
      aria-label={t('menu')}
      onClose={() => showDrawer(false)}
      onClick={(event) => event.target === box.current && showDrawer(false)}
    >
      <div className="drawer-inside">
        <Brand />
        <nav aria-label={t('menu')} className="side-scroll">
          <Menus onPick={() => showDrawer(false)} />
        </nav>
      </div>
    </dialog>
  )
}
