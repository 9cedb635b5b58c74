import { App, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { get } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { clearStored } from '#kit/web/storage.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { useT } from '../words/index.ts'
import { queryClient } from '../query.ts'
import { iconFor, tabNames } from './directory.ts'
import { useLeave } from './use-leave.ts'
import { closable, close, closeAll, closeOthers, HOME, renew, useTabs } from './tabs.ts'

/** Kept when the cache is cleared: who is here, and what is open. */
const SPARED = ['token', 'refreshToken', 'userInfo', 'lock', 'tabs', 'language', 'theme', 'colour', 'mock', 'logs']

function useTabActions(onSearch: () => void) {
  const t = useT()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const leaving = useLeave()

  async function clearCache() {
    await get('/api/blade-auth/oauth/clear-cache', undefined, { basic: false, token: false })
    clearStored(SPARED)
    await queryClient.invalidateQueries()
    toast.success(t('cache.done'))
  }

  return (key: string): MenuProps => {
    const { open } = useTabs.getState()
    return {
      items: [
        { key: 'search', label: t('search'), icon: <Icon name="search" /> },
        { type: 'divider' },
        { key: 'refresh', label: t('tabs.refresh'), icon: <Icon name="reload" /> },
        { key: 'close', label: t('tabs.closeThis'), icon: <Icon name="close" />, disabled: !closable(open, key) },
        { key: 'others', label: t('tabs.closeOthers'), icon: <Icon name="minus" /> },
        { key: 'all', label: t('tabs.closeAll'), icon: <Icon name="close-circle" /> },
        { type: 'divider' },
        { key: 'cache', label: t('cache.clear'), icon: <Icon name="clear" /> },
      ],
      onClick: ({ key: action, domEvent }) => {
        domEvent.stopPropagation()
        if (action === 'search') onSearch()
        const others = open.map((tab) => tab.key).filter((one) => one !== key)
        if (action === 'refresh') leaving([key], () => renew(key))
        if (action === 'close') {
          leaving([key], () => {
            const to = close(key)
            if (to) void navigate(to)
          })
        }
        if (action === 'others') {
          leaving(others, () => {
            closeOthers(key)
            void navigate(useTabs.getState().open.find((tab) => tab.key === key)?.address ?? HOME)
          })
        }
        if (action === 'all') leaving(undefined, () => void navigate(closeAll()))
        if (action === 'cache') modal.confirm({ title: t('tip'), content: t('cache.ask'), onOk: clearCache })
      },
    }
  }
}

/** The open pages in a row. */
export function TabBar({ onSearch }: { onSearch: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const { open, active } = useTabs()
  const menus = useSession((session) => session.menuAll)
  const names = tabNames(open, menus)
  const menuOf = useTabActions(onSearch)
  const leaving = useLeave()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  function leave(key: string) {
    leaving([key], () => {
      const to = close(key)
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
              data-closable={closable(open, tab.key)}
              onAuxClick={(event) => event.button === 1 && leave(tab.key)}
            >
              <TabButtons
                name={names.get(tab.key)!}
                icon={iconFor(tab.key, menus)}
                isActive={tab.key === active}
                onOpen={() => void navigate(tab.address)}
                onClose={closable(open, tab.key) ? () => leave(tab.key) : undefined}
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
  const t = useT()
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
