import { useNavigate } from 'react-router'
import { NativeDialog } from '../login/dialog.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useKeyboardShortcut, useActiveShortcuts } from '#kit/web/base/keys.ts'
import { englishShellWords } from '../words/en.ts'
import { useShellTranslation } from '../words/index.ts'
import { chineseShellWords } from '../words/zh.ts'
import { toggleSidebar } from './frame.ts'
import { closeOneTab, HOME_PATH, useOpenTabs } from './tabs.ts'
import { useConfirmUnsavedLeave } from './use-leave.ts'

const both = (key: keyof typeof chineseShellWords) => ({ zh: chineseShellWords[key], en: englishShellWords[key] })

/** Registers the keyboard shortcuts of the shell; pages register their own. */
export function useShellShortcuts({ search, keys }: { search: () => void; keys: () => void }) {
  const navigate = useNavigate()
  const leaving = useConfirmUnsavedLeave()
  const step = (by: number) => {
    const { open, active } = useOpenTabs.getState()
    const at = open.findIndex((tab) => tab.key === active)
    const next = open[(at + by + open.length) % open.length]
    if (next) void navigate(next.address)
  }
  useKeyboardShortcut('mod+k', both('keys.search'), search, { typing: true })
  useKeyboardShortcut('?', both('keys.list'), keys)
  useKeyboardShortcut('g h', both('keys.home'), () => void navigate(HOME_PATH))
  useKeyboardShortcut(']', both('keys.next'), () => step(1))
  useKeyboardShortcut('[', both('keys.previous'), () => step(-1))
  useKeyboardShortcut('g x', both('keys.closeTab'), () => {
    const { active } = useOpenTabs.getState()
    leaving([active], () => {
      const to = closeOneTab(active)
      if (to) void navigate(to)
    })
  })
  useKeyboardShortcut('\\', both('keys.sidebar'), toggleSidebar)
}

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const shown = (keys: string) =>
  keys.split(' ').map((part) => part.replace('mod+', mac ? '⌘ ' : 'Ctrl ').replace('alt+', mac ? '⌥ ' : 'Alt '))

/** Dialog with all keyboard shortcuts that work on this screen, opened by "?". */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useShellTranslation()
  const localize = useLocalize()
  const list = useActiveShortcuts((keys) => keys.list)
  return (
    <NativeDialog title={t('keys')} onClose={onClose}>
      <dl className="key-list">
        {list.map(({ keys, words }) => (
          <div key={keys}>
            <dt>
              {shown(keys).map((part) => (
                <kbd key={part}>{part.toUpperCase()}</kbd>
              ))}
            </dt>
            <dd>{localize(words)}</dd>
          </div>
        ))}
      </dl>
      <div className="plain-dialog-foot">
        <button type="button" className="plain-button" autoFocus onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </NativeDialog>
  )
}
