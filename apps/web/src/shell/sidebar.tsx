import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useSession } from '#kit/web/session/session.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { useShellTranslation } from '../words/index.ts'
import { setMobileMenuOpen, useShellLayout } from './frame.ts'
import { MenuTree } from './menu-tree.tsx'
import { MenuRail } from './menu-rail.tsx'
import type { SidebarEntry } from '#kit/web/base/menus.ts'
import { useSavedViewMenu } from './view-links.ts'

function Brand() {
  const language = useLanguage()
  return (
    <div className="brand">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      <span>{webSettings.product[language]}</span>
    </div>
  )
}

/** Returns the user's menus, followed by the saved views shown as links. */
function useMenus(): SidebarEntry[] {
  const menus = useSession((session) => session.menus)
  const links = useSavedViewMenu()
  return useMemo(() => [...menus, ...links], [menus, links])
}

function Menus({ onPick }: { onPick?: () => void }) {
  const t = useShellTranslation()
  const menus = useMenus()
  const ready = useSession((session) => session.ready)
  if (ready === 'yes' && !menus.length) return <p className="side-empty">{t('menu.empty')}</p>
  if (!menus.length && ready !== 'failed')
    return <div className="side-skeleton" aria-label={t('loading')} role="status" />
  return <MenuTree menus={menus} onPick={onPick} />
}

/** The menus: at the side on a desktop, in a drawer on a phone. */
export function Sidebar() {
  const t = useShellTranslation()
  const phone = useScreenSize() === 0
  const collapsed = useShellLayout((frame) => frame.collapsed)
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
  const t = useShellTranslation()
  const open = useShellLayout((frame) => frame.drawer)
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
      setMobileMenuOpen(false)
    }
  }, [before, pathname])
  return (
    <dialog
      ref={box}
      className="drawer side"
      aria-label={t('menu')}
      onClose={() => setMobileMenuOpen(false)}
      onClick={(event) => event.target === box.current && setMobileMenuOpen(false)}
    >
      <div className="drawer-inside">
        <Brand />
        <nav aria-label={t('menu')} className="side-scroll">
          <Menus onPick={() => setMobileMenuOpen(false)} />
        </nav>
      </div>
    </dialog>
  )
}
