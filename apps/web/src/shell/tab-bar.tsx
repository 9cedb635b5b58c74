import { App, Dropdown, type MenuProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { clearStoredValues } from '#kit/web/base/storage.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useShellTranslation } from '../words/index.ts'
import { queryClient } from '../query.ts'
import { pageIconOf, distinctTabNames } from './directory.ts'
import { useConfirmUnsavedLeave } from './use-leave.ts'
import { isClosableTab, closeOneTab, closeAllTabs, closeOtherTabs, HOME_PATH, redrawTab, useOpenTabs } from './tabs.ts'

/** Stored values kept when the cache is cleared: those of the session, the open tabs and the appearance. */
const SPARED = ['token', 'refreshToken', 'userInfo', 'lock', 'tabs', 'language', 'theme', 'colour', 'mock', 'logs']

/** Returns a function that gives the menu of a tab: refresh, close it, the others or all, clear the cache. */
export function useTabActions(onSearch: () => void) {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const leaving = useConfirmUnsavedLeave()

  async function clearCache() {
    await apiGet('/api/blade-auth/oauth/clear-cache', undefined, { basic: false, token: false })
    clearStoredValues(SPARED)
    await queryClient.invalidateQueries()
    toast.success(t('cache.done'))
  }

  return (key: string): MenuProps => {
    const { open } = useOpenTabs.getState()
    return {
      items: [
        { key: 'search', label: t('search'), icon: <Icon name="search" /> },
        { type: 'divider' },
        { key: 'refresh', label: t('tabs.refresh'), icon: <Icon name="reload" /> },
        { key: 'close', label: t('tabs.closeThis'), icon: <Icon name="close" />, disabled: !isClosableTab(open, key) },
        { key: 'others', label: t('tabs.closeOthers'), icon: <Icon name="minus" /> },
        { key: 'all', label: t('tabs.closeAll'), icon: <Icon name="close-circle" /> },
        { type: 'divider' },
        { key: 'cache', label: t('cache.clear'), icon: <Icon name="clear" /> },
      ],
      onClick: ({ key: action, domEvent }) => {
        domEvent.stopPropagation()
        if (action === 'search') onSearch()
        const others = open.map((tab) => tab.key).filter((one) => one !== key)
        if (action === 'refresh') leaving([key], () => redrawTab(key))
        if (action === 'close') {
          leaving([key], () => {
            const to = closeOneTab(key)
            if (to) void navigate(to)
          })
        }
        if (action === 'others') {
          leaving(others, () => {
            closeOtherTabs(key)
            void navigate(useOpenTabs.getState().open.find((tab) => tab.key === key)?.address ?? HOME_PATH)
          })
        }
        if (action === 'all') leaving(undefined, () => void navigate(closeAllTabs()))
        if (action === 'cache') modal.confirm({ title: t('tip'), content: t('cache.ask'), onOk: clearCache })
      },
    }
  }
}

/** Bar with the open tabs. */
export function TabBar({ onSearch }: { onSearch: () => void }) {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const { open, active } = useOpenTabs()
  const menus = useSession((session) => session.menuAll)
  const names = distinctTabNames(open, menus)
  const menuOf = useTabActions(onSearch)
  const leaving = useConfirmUnsavedLeave()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  function leave(key: string) {
    leaving([key], () => {
      const to = closeOneTab(key)
      if (to) void navigate(to)
    })
  }

  return (
    <nav className="tab-bar" aria-label={t('tabs')}>
      <div className="tab-row" ref={row}>
        {open.map((tab) => (
          <Dropdown key={tab.key} trigger={['contextMenu']} menu={menuOf(tab.key)}>
            <div
              className="tab"
              data-active={tab.key === active}
              data-closable={isClosableTab(open, tab.key)}
              onAuxClick={(event) => event.button === 1 && leave(tab.key)}
            >
              <TabButtons
                name={names.get(tab.key)!}
                icon={pageIconOf(tab.key, menus)}
                isActive={tab.key === active}
                onOpen={() => void navigate(tab.address)}
                onClose={isClosableTab(open, tab.key) ? () => leave(tab.key) : undefined}
              />
            </div>
          </Dropdown>
        ))}
      </div>
      <Dropdown autoFocus trigger={['click']} placement="bottomRight" menu={menuOf(active)}>
        <button type="button" className="tab-more" aria-label={t('tabs.menu')}>
          <Icon name="down" />
        </button>
      </Dropdown>
    </nav>
  )
}

type ButtonsProps = {
  name: string
  icon: string | undefined
  isActive: boolean
  onOpen: () => void
  onClose: (() => void) | undefined
}

function TabButtons({ name, icon, isActive, onOpen, onClose }: ButtonsProps) {
  const t = useShellTranslation()
  return (
    <>
      <button type="button" className="tab-name" aria-current={isActive ? 'page' : undefined} onClick={onOpen}>
        <Icon name={icon} fallback="file-text" />
        <span>{name}</span>
      </button>
      {onClose && (
        <button type="button" className="tab-close" aria-label={t('tabs.close', { name })} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </>
  )
}
