import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useLanguage } from '#kit/web/base/language.tsx'
import { loadSession, useSession } from '#kit/web/session/session.ts'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { queryClient } from '../query.ts'
import { useLiveResume } from '#kit/web/live/live.ts'
import { useShellTranslation } from '../words/index.ts'
import { checkPageAccess, pageNameOf } from './directory.ts'
import { ShortcutsDialog, useShellShortcuts } from './shell-keys.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { NewVersionNotice } from './new-version.tsx'
import { PageErrorBoundary } from './page-boundary.tsx'
import { PageSearch } from './search.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import { OpenTabPages } from './tab-pages.tsx'
import { useOpenTabs, showInTab } from './tabs.ts'
import { windowTitleOf } from './titles.ts'
import { TopBar } from './top-bar.tsx'
import { useShellLayout } from './frame.ts'

/** The frame around every page: sidebar, top bar and tabs. */
export function Shell() {
  const ready = useSession((session) => session.ready)
  const { pathname, search, hash } = useLocation()
  const verdict = useSession(() => (ready === 'yes' ? checkPageAccess(pathname) : 'wait'))
  const collapsed = useShellLayout((frame) => frame.collapsed)
  const phone = useScreenSize() === 0
  const [searching, setSearching] = useState(false)
  const [keys, setKeys] = useState(false)
  const [barRound, setBarRound] = useState(0)
  const t = useShellTranslation()

  useEffect(() => {
    if (useSession.getState().ready === 'no') void loadSession()
  }, [])
  useEffect(() => {
    if (verdict === 'yes') showInTab(pathname, pathname + search + hash)
  }, [verdict, pathname, search, hash])
  useTitle(pathname)
  useShellShortcuts({ search: () => setSearching(true), keys: () => setKeys(true) })
  // Data fetched before a lost connection may be out of date, so all of it is invalidated.
  useLiveResume(() => void queryClient.invalidateQueries())

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
        <PageErrorBoundary key={barRound} onRetry={() => setBarRound((round) => round + 1)}>
          <TopBar onSearch={() => setSearching(true)} onKeys={() => setKeys(true)} />
        </PageErrorBoundary>
        {!phone && <TabBar onSearch={() => setSearching(true)} />}
        <OfflineBanner />
        <main id="content" className="shell-content" tabIndex={-1}>
          {ready === 'failed' ? <Failed /> : <OpenTabPages />}
        </main>
      </div>
      {searching && <PageSearch onClose={() => setSearching(false)} />}
      {keys && <ShortcutsDialog onClose={() => setKeys(false)} />}
      <NewVersionNotice />
    </div>
  )
}

function useTitle(pathname: string) {
  const language = useLanguage()
  const own = useOpenTabs((tabs) => tabs.open.find((tab) => tab.key === pathname)?.title)
  const menus = useSession((session) => session.menuAll)
  useEffect(() => {
    document.title = windowTitleOf(own ?? pageNameOf(pathname, menus), language)
  }, [own, pathname, menus, language])
}

function Failed() {
  const t = useShellTranslation()
  return (
    <div className="state" role="alert">
      <p className="state-title">{t('menu.failed')}</p>
      <button type="button" className="solid-button" onClick={() => void loadSession()}>
        {t('retry')}
      </button>
    </div>
  )
}
