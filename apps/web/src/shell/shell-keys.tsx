import { useNavigate } from 'react-router'
import { Dialog } from '../login/dialog.tsx'
import { useLocalize } from '#kit/web/language.tsx'
import { useKey, useKeyList } from '#kit/web/keys.ts'
import { en } from '../words/en.ts'
import { useT } from '../words/index.ts'
import { zh } from '../words/zh.ts'
import { toggleSidebar } from './frame.ts'
import { close, HOME, useTabs } from './tabs.ts'
import { useLeave } from './use-leave.ts'

const both = (key: keyof typeof zh) => ({ zh: zh[key], en: en[key] })

/** The keys of the frame itself; pages bring their own. */
export function useShellKeys({ search, keys }: { search: () => void; keys: () => void }) {
  const navigate = useNavigate()
  const leaving = useLeave()
  const step = (by: number) => {
    const { open, active } = useTabs.getState()
    const at = open.findIndex((tab) => tab.key === active)
    const next = open[(at + by + open.length) % open.length]
    if (next) void navigate(next.address)
  }
  useKey('mod+k', both('keys.search'), search, { typing: true })
  useKey('?', both('keys.list'), keys)
  useKey('g h', both('keys.home'), () => void navigate(HOME))
  useKey(']', both('keys.next'), () => step(1))
  useKey('[', both('keys.previous'), () => step(-1))
  useKey('g x', both('keys.closeTab'), () => {
    const { active } = useTabs.getState()
    leaving([active], () => {
      const to = close(active)
      if (to) void navigate(to)
    })
  })
  useKey('\\', both('keys.sidebar'), toggleSidebar)
}

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const shown = (keys: string) =>
  keys.split(' ').map((part) => part.replace('mod+', mac ? '⌘ ' : 'Ctrl ').replace('alt+', mac ? '⌥ ' : 'Alt '))

/** The list behind "?": every key that works on this screen. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const t = useT()
  const localize = useLocalize()
  const list = useKeyList((keys) => keys.list)
  return (
    <Dialog title={t('keys')} onClose={onClose}>
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
    </Dialog>
  )
}
