import { useLocalize } from '#kit/web/base/language.tsx'
import { offlineReason } from './offline-reason.ts'
import type { DeviceLinkRow } from './slots.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import './gateways.css'

const words = {
  online: { zh: '在线', en: 'Online' },
  offline: { zh: '离线', en: 'Offline' },
  unknown: { zh: '未知', en: 'Unknown' },
  never: { zh: '从未连接', en: 'Never connected' },
}

/** Shows whether a device is online, with when it was last seen or why it is offline. */
export function DeviceLinkStatus({ state, lastSeen, why }: { state: string; lastSeen?: string; why?: string }) {
  const t = useLocalize()
  const key = state === 'online' || state === 'offline' ? state : 'unknown'
  if (!lastSeen && key === 'offline')
    return (
      <span className="link-state" data-state="unknown">
        <i /> {t(words.never)}
        {why && <small>{why}</small>}
      </span>
    )
  return (
    <span className="link-state" data-state={key}>
      <i /> {t(words[key])} {why ? <small>{why}</small> : lastSeen && <RelativeTime at={lastSeen} />}
    </span>
  )
}

/** Shows the state of a device link. With `isWhole` (detail view), also what to check while the device is offline. */
export function DeviceLinkStatusOfRow({ row, isWhole }: { row: DeviceLinkRow; isWhole?: boolean }) {
  const t = useLocalize()
  const away = offlineReason(row)
  const short = away?.short && t(away.short)
  const state = <DeviceLinkStatus state={String(row.state)} lastSeen={row.lastSeenTime} why={short ?? away?.why} />
  if (!isWhole || !away) return state
  return (
    <div className="link-why">
      {state}
      <span>{t(away.look)}</span>
    </div>
  )
}
