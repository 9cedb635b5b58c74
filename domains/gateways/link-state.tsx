import { useSay } from '#kit/web/language.tsx'
import { When } from '#kit/web/parts/when.tsx'
import './gateways.css'

const words = {
  online: { zh: '在线', en: 'Online' },
  offline: { zh: '离线', en: 'Offline' },
  unknown: { zh: '未知', en: 'Unknown' },
  never: { zh: '从未连接', en: 'Never connected' },
}

/** Whether a device is there, and how old that knowledge is. */
export function LinkState({ state, lastSeen }: { state: string; lastSeen?: string }) {
  const say = useSay()
  const key = state === 'online' || state === 'offline' ? state : 'unknown'
  if (!lastSeen && key === 'offline')
    return (
      <span className="link-state" data-state="unknown">
        <i /> {say(words.never)}
      </span>
    )
  return (
    <span className="link-state" data-state={key}>
      <i /> {say(words[key])} {lastSeen && <When at={lastSeen} />}
    </span>
  )
}
