import type { LocalizedText } from '#kit/web/base/language.tsx'
import type { DeviceLinkRow } from './slots.ts'

type LinkFacts = Pick<
  DeviceLinkRow,
  | 'state'
  | 'lastSeenTime'
  | 'endReason'
  | 'endReasonName'
  | 'refusedTime'
  | 'refusedReason'
  | 'refusedReasonName'
  | 'keyIssuedTime'
>

const words = {
  noKey: { zh: '没有密钥', en: 'No credentials' },
  unsaid: { zh: '原因不明', en: 'Unknown reason' },
  begun: { zh: '等待上报', en: 'Waiting for a report' },
} satisfies Record<string, LocalizedText>

/** Advice on what to check, by why a device is offline. */
const looks = {
  wrongKey: {
    zh: '设备里的密钥与签发的不同：更换密钥并写进设备',
    en: 'The credentials in the device differ from those issued. Rotate the credentials and enter them in the device.',
  },
  noKey: {
    zh: '密钥没有签发或已吊销：签发后写进设备',
    en: 'No credentials were issued or they were revoked. Issue credentials and enter them in the device.',
  },
  wrongName: {
    zh: '设备里的客户端编号和用户名都应是它的设备编号',
    en: 'Client ID and user name in the device must both be its device ID',
  },
  never: {
    zh: '检查设备是否通电、联网，服务器地址和设备编号是否填对',
    en: 'Check power, network, server address and device ID of the device',
  },
  lost: {
    zh: '没有告别就断开：检查电源、路由器和网络',
    en: 'The connection dropped unexpectedly. Check the power, router and network.',
  },
  silent: {
    zh: '90 秒没有心跳：检查网络，网络正常就到现场重启',
    en: 'No heartbeat for 90 seconds. Check the network. If it works, restart the device on site.',
  },
  left: {
    zh: '设备自己关闭了连接：看它是否被关机或停用',
    en: 'The device closed the connection itself. Check whether it was switched off or deactivated.',
  },
  restart: {
    zh: '重启一般几分钟内恢复，久不恢复请到现场查看',
    en: 'A restart takes a few minutes. If the device does not come back, check it on site.',
  },
  begun: {
    zh: '服务器刚开始接听，设备下次上报后就知道',
    en: 'The server has just started. The status is known after the next report.',
  },
  unsaid: { zh: '检查电源、路由器和网络', en: 'Check the power, router and network' },
} satisfies Record<string, LocalizedText>
const reasonText = (reason: string | undefined): LocalizedText =>
  (looks as Record<string, LocalizedText>)[reason ?? ''] ?? looks.unsaid

/**
 * `short` or `why` (already in the reader's language) is shown next to the state, neither when the state says it all.
 * `look` is the advice.
 */
type OfflineReason = { short?: LocalizedText; why?: string; look: LocalizedText }

/** Returns why a device is not online, by what happened last; undefined when it is online. */
export function offlineReason(row: LinkFacts): OfflineReason | undefined {
  if (row.state === 'online') return undefined
  const lastSeen = row.lastSeenTime ?? ''
  if (row.refusedTime && row.refusedTime > lastSeen)
    return { why: row.refusedReasonName, look: reasonText(row.refusedReason) }
  if (!row.keyIssuedTime) return { short: words.noKey, look: looks.noKey }
  if (!lastSeen) return { look: looks.never }
  if (row.state === 'unknown') return { short: words.begun, look: looks.begun }
  return row.endReason
    ? { why: row.endReasonName, look: reasonText(row.endReason) }
    : { short: words.unsaid, look: looks.unsaid }
}
