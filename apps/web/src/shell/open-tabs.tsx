import { Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import { Sheet } from '#kit/web/parts/sheet.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useShellTranslation } from '../words/index.ts'
import { distinctTabNames } from './directory.ts'
import { closeOneTab, isClosableTab, useOpenTabs } from './tabs.ts'
import { useTabActions } from './tab-bar.tsx'
import { useConfirmUnsavedLeave } from './use-leave.ts'

type Props = { onClose: () => void; onSearch: () => void }

/** The pages that are open, on a phone, which has no strip of tabs. */
export default function OpenTabsSheet({ onClose, onSearch }: Props) {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const { open, active } = useOpenTabs()
  const names = distinctTabNames(
    open,
    useSession((session) => session.menuAll),
  )
  const menuOf = useTabActions(onSearch)
  const leaving = useConfirmUnsavedLeave()
  const close = (key: string) =>
    leaving([key], () => {
      const to = closeOneTab(key)
      if (to) void navigate(to)
    })
  return (
    <Sheet title={t('tabs')} isOpen onClose={onClose}>
      <ul className="open-tabs">
        {open.map((tab) => (
          <li key={tab.key}>
            <button
              type="button"
              aria-current={tab.key === active ? 'page' : undefined}
              onClick={() => {
                onClose()
                void navigate(tab.address)
              }}
            >
              {names.get(tab.key)}
            </button>
            <Dropdown autoFocus trigger={['click']} menu={menuOf(tab.key)}>
              <button type="button" aria-label={t('tabs.menu')}>
                <Icon name="ellipsis" />
              </button>
            </Dropdown>
            {isClosableTab(open, tab.key) && (
              <button
                type="button"
                aria-label={t('tabs.close', { name: names.get(tab.key)! })}
                onClick={() => close(tab.key)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
