import { App, Dropdown } from 'antd'
import { Suspense, lazy, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { setLanguage, useLanguage } from '#kit/web/base/language.tsx'
import { useConnectivity } from '#kit/web/http/connectivity.ts'
import { useLiveStreamState } from '#kit/web/live/live.ts'
import { isMockMode } from '#kit/web/session/mock-mode.ts'
import { Popup } from '#kit/web/parts/popup.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useShellTranslation } from '../words/index.ts'
import { TopBarButton } from './bar-button.tsx'
import { distinctTabNames } from './directory.ts'
import { useErrorLog } from './error-log.ts'
import { setMobileMenuOpen, toggleSidebar, useShellLayout } from './frame.ts'
import { useFullscreen } from './fullscreen.ts'
import { LockScreenDialog } from './lock-dialog.tsx'
import { NoticeBellButton } from './notice-button.tsx'
import { useOpenTabs } from './tabs.ts'
import { BackgroundTasksButton } from './tasks-button.tsx'
import { TopMenus } from './top-menus.tsx'
import { UserMenu } from './user-menu.tsx'

const ColourPanel = lazy(() => import('./colour-panel.tsx'))
const OpenTabsSheet = lazy(() => import('./open-tabs.tsx'))
const ThemePanel = lazy(() => import('./theme-panel.tsx'))
const BADGE_MAX = 99

type Props = { onSearch: () => void; onKeys: () => void }

/** The bar at the top. On a phone most of its buttons are in a menu. */
export function TopBar({ onSearch, onKeys }: Props) {
  const t = useShellTranslation()
  const size = useScreenSize()
  const phone = size === 0
  const collapsed = useShellLayout((frame) => frame.collapsed)
  const [locking, setLocking] = useState(false)
  return (
    <header className="top">
      {phone ? (
        <TopBarButton icon="menu" label={t('menu.open')} onClick={() => setMobileMenuOpen(true)} />
      ) : (
        <TopBarButton
          icon={collapsed ? 'menu-unfold' : 'menu-fold'}
          onClick={toggleSidebar}
          label={t(collapsed ? 'menu.expand' : 'menu.collapse')}
        />
      )}
      {phone ? <Here /> : <TopMenus />}
      <LiveState />
      {size >= 2 ? (
        <SearchBox onSearch={onSearch} />
      ) : (
        <TopBarButton icon="search" label={t('search')} onClick={onSearch} />
      )}
      {!phone && <Looks />}
      {!phone && <LogButton />}
      {!phone && <TopBarButton icon="lock" label={t('lock.screen')} onClick={() => setLocking(true)} />}
      <BackgroundTasksButton />
      <NoticeBellButton />
      {!phone && <Language />}
      {!phone && <Fullscreen />}
      {phone && <More onLock={() => setLocking(true)} onSearch={onSearch} />}
      <UserMenu onKeys={onKeys} />
      {locking && <LockScreenDialog onClose={() => setLocking(false)} />}
    </header>
  )
}

function Here() {
  const menus = useSession((session) => session.menuAll)
  const { open, active } = useOpenTabs()
  return <p className="top-here">{distinctTabNames(open, menus).get(active) ?? ''}</p>
}

function LiveState() {
  const t = useShellTranslation()
  const state = useLiveStreamState()
  const line = useConnectivity()
  const isPractice = useSession((session) => session.user?.isPractice)
  return (
    <div className="live" role="status">
      {isPractice && (
        <span className="live-practice" data-tip={t('practice.why')}>
          <Icon name="experiment" />
          {t('practice')}
        </span>
      )}
      {isMockMode() && (
        <Link to="/test/index" className="live-mock">
          {t('mock')}
        </Link>
      )}
      {state === 'lost' && line === 'up' && (
        <span>
          <Icon name="disconnect" />
          <em>{t('live.lost')}</em>
        </span>
      )}
    </div>
  )
}

function SearchBox({ onSearch }: { onSearch: () => void }) {
  const t = useShellTranslation()
  return (
    <button type="button" className="top-search" onClick={onSearch}>
      <Icon name="search" />
      <span>{t('keys.search')}</span>
      <kbd>Ctrl K</kbd>
    </button>
  )
}

function Looks() {
  const t = useShellTranslation()
  return (
    <>
      <Popup label={t('colour')} placement="bottomRight" arrow={false} content={<ColourPanel />}>
        <TopBarButton icon="bg-colors" label={t('colour')} />
      </Popup>
      <Popup label={t('theme')} placement="bottomRight" arrow={false} content={<ThemePanel />}>
        <TopBarButton icon="skin" label={t('theme')} />
      </Popup>
    </>
  )
}

function LogButton() {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const count = useErrorLog((log) => log.entries.length)
  return (
    <TopBarButton
      icon="bug"
      badge={count > BADGE_MAX ? `${BADGE_MAX}+` : count}
      onClick={() => void navigate('/logs/index')}
      label={count ? t('logs.count', { count }) : t('logs')}
    />
  )
}

const tongues = [
  { key: 'zh', label: '中文' },
  { key: 'en', label: 'English' },
] as const

function Language() {
  const t = useShellTranslation()
  const language = useLanguage()
  const items = tongues.map((tongue) => ({ ...tongue, disabled: tongue.key === language }))
  return (
    <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => setLanguage(key as 'zh' | 'en') }}>
      <TopBarButton icon="translation" label={t('language')} />
    </Dropdown>
  )
}

function Fullscreen() {
  const t = useShellTranslation()
  const [full, toggle] = useFullscreen()
  return (
    <TopBarButton
      icon={full ? 'fullscreen-exit' : 'fullscreen'}
      label={t(full ? 'fullscreen.exit' : 'fullscreen')}
      onClick={toggle}
    />
  )
}

/** Menu with the buttons that do not fit on a phone. */
function More({ onLock, onSearch }: { onLock: () => void; onSearch: () => void }) {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const language = useLanguage()
  const [, toggle] = useFullscreen()
  const [isListing, setListing] = useState(false)
  const count = useErrorLog((log) => log.entries.length)
  const show = (title: string, panel: React.ReactNode) =>
    modal.info({ title, icon: null, content: <Suspense>{panel}</Suspense>, okText: t('close') })
  const actions: Record<string, () => void> = {
    tabs: () => setListing(true),
    colour: () => show(t('colour'), <ColourPanel />),
    theme: () => show(t('theme'), <ThemePanel />),
    logs: () => void navigate('/logs/index'),
    lock: onLock,
    full: toggle,
    language: () => setLanguage(language === 'zh' ? 'en' : 'zh'),
  }
  return (
    <>
      <Dropdown
        autoFocus
        trigger={['click']}
        menu={{
          items: [
            { key: 'tabs', label: t('tabs'), icon: <Icon name="layout" /> },
            { key: 'colour', label: t('colour'), icon: <Icon name="bg-colors" /> },
            { key: 'theme', label: t('theme'), icon: <Icon name="skin" /> },
            { key: 'logs', label: count ? t('logs.count', { count }) : t('logs'), icon: <Icon name="bug" /> },
            { key: 'lock', label: t('lock.screen'), icon: <Icon name="lock" /> },
            { key: 'language', label: language === 'zh' ? 'English' : '中文', icon: <Icon name="translation" /> },
            { key: 'full', label: t('fullscreen'), icon: <Icon name="fullscreen" /> },
          ],
          onClick: ({ key }) => actions[key]?.(),
        }}
      >
        <TopBarButton icon="ellipsis" label={t('top.more')} />
      </Dropdown>
      {isListing && (
        <Suspense>
          <OpenTabsSheet onClose={() => setListing(false)} onSearch={onSearch} />
        </Suspense>
      )}
    </>
  )
}
