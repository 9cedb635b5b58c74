import { useLocalize } from '#kit/web/language.tsx'
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

/** Whether a device is there, and how old that knowledge is or in a word why it is not. */
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

/** The state of a line; in the detail also what to look at while its device is away. */
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
