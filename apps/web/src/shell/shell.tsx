import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useLang } from '#kit/web/language.tsx'
import { loadSession, useSession } from '#kit/web/session/session.ts'
import { useScreen } from '#kit/web/screen.ts'
import { queryClient } from '../query.ts'
import { useLive } from '#kit/web/live/live.ts'
import { useT } from '../words/index.ts'
import { may, nameOf } from './directory.ts'
import { KeyList, useShellKeys } from './shell-keys.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { NewVersion } from './new-version.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { Search } from './search.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import { TabPages } from './tab-pages.tsx'
import { useTabs, visit } from './tabs.ts'
import { titleOf } from './titles.ts'
import { TopBar } from './top-bar.tsx'
import { useFrame } from './frame.ts'

/** The frame around every page: sidebar, top bar, tabs. */
export function Shell() {
  const ready = useSession((session) => session.ready)
  const { pathname, search, hash } = useLocation()
  const verdict = useSession(() => (ready === 'yes' ? may(pathname) : 'wait'))
  const collapsed = useFrame((frame) => frame.collapsed)
  const phone = useScreen() === 0
  const [searching, setSearching] = useState(false)
  const [keys, setKeys] = useState(false)
  const [barRound, setBarRound] = useState(0)
  const t = useT()

  useEffect(() => {
    if (useSession.getState().ready === 'no') void loadSession()
  }, [])
  useEffect(() => {
    if (verdict === 'yes') visit(pathname, pathname + search + hash)
  }, [verdict, pathname, search, hash])
  useTitle(pathname)
  useShellKeys({ search: () => setSearching(true), keys: () => setKeys(true) })
  // Whatever was on screen while the line was down may be out of date.
  useLive(
    'session',
    () => void loadSession(),
    () => void queryClient.invalidateQueries(),
  )

  if (verdict === 'unknown') return <Navigate to="/404" replace />
  if (verdict === 'no') return <Navigate to="/403" replace />
  return (
    <div className="shell" data-collapsed={collapsed && !phone} data-phone={phone}>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <Sidebar />
      <div className="shell-main">
        {/* A part of the bar that cannot be fetched must not take the pages with it, and what is typed there. */}
        <PageBoundary key={barRound} onRetry={() => setBarRound((round) => round + 1)}>
          <TopBar onSearch={() => setSearching(true)} onKeys={() => setKeys(true)} />
        </PageBoundary>
        <TabBar onSearch={() => setSearching(true)} />
        <OfflineBanner />
        <main id="content" className="shell-content" tabIndex={-1}>
          {ready === 'failed' ? <Failed /> : <TabPages />}
        </main>
      </div>
      {searching && <Search onClose={() => setSearching(false)} />}
      {keys && <KeyList onClose={() => setKeys(false)} />}
      <NewVersion />
    </div>
  )
}

function useTitle(pathname: string) {
  const language = useLang()
  const own = useTabs((tabs) => tabs.open.find((tab) => tab.key === pathname)?.title)
  const menus = useSession((session) => session.menuAll)
  useEffect(() => {
    document.title = titleOf(own ?? nameOf(pathname, menus), language)
  }, [own, pathname, menus, language])
}

function Failed() {
  const t = useT()
  return (
    <div className="state" role="alert">
      <p className="state-title">{t('menu.failed')}</p>
      <button type="button" className="solid-button" onClick={() => void loadSession()}>
        {t('retry')}
      </button>
    </div>
  )
}
