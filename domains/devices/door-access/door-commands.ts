import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  handleStateReport,
  requestCommand,
  defineCommand,
  type DeviceCommand,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { writeDoorCommandLog } from './door-log.server.ts'
import { parseReportedDoors, type DoorState } from './door-state.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { doorTopic } from './topics.ts'

export const DOOR_CONTROL_OPTIONS = ['open', 'close', 'hold', 'keepClosed', 'release'] as const
export type DoorControlOption = (typeof DOOR_CONTROL_OPTIONS)[number]
type Control = { doorNo: number; opt: DoorControlOption; seconds?: number }

const options: Record<DoorControlOption, { zh: string; en: string }> = {
  open: { zh: '打开', en: 'Open' },
  close: { zh: '关闭', en: 'Close' },
  hold: { zh: '常开', en: 'Hold open' },
  keepClosed: { zh: '常闭', en: 'Keep closed' },
  release: { zh: '恢复', en: 'Release' },
}

/** Whether a door's sensors show what a command asked for. */
const shows: Record<DoorControlOption, (door: DoorState) => boolean> = {
  open: ({ lock, contact }) => lock === 'unlocked' || contact === 'open',
  close: ({ lock, contact }) => lock === 'locked' && contact !== 'open',
  hold: ({ mode }) => mode === 'hold',
  keepClosed: ({ mode }) => mode === 'keepClosed',
  release: ({ mode }) => mode === 'normal',
}
const doorIn = (state: unknown, doorNo: number) => parseReportedDoors(state).find((door) => door.doorNo === doorNo)

/**
 * Shared settings of door commands. They expire after ten seconds and never wait for a gateway, as a door that opens
 * when nobody is in front of it is dangerous.
 */
const LIFE = {
  kind: 'gateway',
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 8_000,
  lifeMs: 10_000,
  offline: 'refuse',
  perMinute: 6,
} as const
const laneOf = ({ doorNo }: { doorNo: number }) => `door/${doorNo}`

export const doorControlCommand = defineCommand<Control>({
  method: 'door.control',
  label: { zh: '控制门', en: 'Control door' },
  summary: ({ doorNo, opt }) => ({ zh: `${options[opt].zh} ${doorNo} 号门`, en: `${options[opt].en}: door ${doorNo}` }),
  ...LIFE,
  lane: laneOf,
  isSeen: ({ doorNo, opt }, state) => {
    const door = doorIn(state, doorNo)
    return door !== undefined && shows[opt](door)
  },
  ended: async (db, command, services) => {
    const { doorNo, opt, seconds } = command.params as Control
    await doorCommandEnded(db, command, services, opt)
    if (command.state === 'done' && opt === 'hold' && seconds)
      await releaseLater(db, command, new Date(services.now().getTime() + seconds * 1000), doorNo)
  },
})

export const doorForceCloseCommand = defineCommand<{ doorNo: number }>({
  method: 'door.forceClose',
  label: { zh: '强制关门', en: 'Force door closed' },
  summary: ({ doorNo }) => ({ zh: `强制关闭 ${doorNo} 号门`, en: `Force door ${doorNo} closed` }),
  ...LIFE,
  lane: laneOf,
  isSeen: ({ doorNo }, state) => {
    const door = doorIn(state, doorNo)
    return door !== undefined && door.lock === 'locked' && door.mode !== 'hold'
  },
  ended: (db, command, services) => doorCommandEnded(db, command, services, 'focusClose'),
})

export const doorStatusCommand = defineCommand<object>({
  method: 'door.status',
  kind: 'gateway',
  label: { zh: '查询门状态', en: 'Check door status' },
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 5_000,
  offline: 'refuse',
  perMinute: 30,
  ended: async (db, command, services) => {
    const link = command.state === 'done' ? await db.get(deviceLink, command.linkId!) : undefined
    const doors = (command.result as { doors?: unknown } | null)?.doors
    if (!link || !Array.isArray(doors)) return
    const at = services.now()
    const data = { doors, ts: at.getTime() + (link.clockOffset ?? 0) }
    await handleStateReport({ db, services, link, data, at })
    publishDoorChanged(db, command.shopId!)
  },
})

export const doorReleaseQueue = defineQueue<{ linkId: string | null; doorNo: number; commandId: string }>(
  'door.release',
)
/**
 * The gateway ends a timed hold itself. This long after the end, the server checks and releases the door if necessary.
 */
const GRACE_MS = 15_000

const releaseLater = (db: Db, { id, linkId }: DeviceCommand, until: Date, doorNo: number): Promise<void> =>
  db.enqueue(
    doorReleaseQueue,
    { linkId, doorNo, commandId: id },
    { key: id, runAt: new Date(until.getTime() + GRACE_MS) },
  )

/** Notifies open pages of the shop that a door has changed. */
export const publishDoorChanged = (db: Db, shopId: string): void =>
  db.publish(doorTopic, { shopId }, { limits: { shop: shopId } })

/** Logs how a door command ended. When the result is unknown, asks the gateway for the state of its doors. */
async function doorCommandEnded(db: Db, command: DeviceCommand, services: Services, action: string): Promise<void> {
  await writeDoorCommandLog(db, command, action, services.now())
  publishDoorChanged(db, command.shopId!)
  if (command.state !== 'unknown') return
  const link = await db.get(deviceLink, command.linkId!)
  if (link)
    await requestCommand({ db, services }, doorStatusCommand, link, {}, { source: 'system', key: `door/${command.id}` })
}

/** Returns the command that caused an opening, from the id the gateway reports, or undefined. */
export async function findCommandOfOpening(
  db: Db,
  linkId: string,
  by: unknown,
): Promise<{ visitId: string | null } | undefined> {
  if (typeof by !== 'string' || !/^\d{1,18}$/.test(by)) return undefined
  return db.one<{ visitId: string | null }>(sql`select visit_id from device_command where tenant_id = ${db.tenantId}
    and id = ${by}::bigint and link_id = ${linkId}`)
}
