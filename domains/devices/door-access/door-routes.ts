import { f } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { areReferenceableRows } from '#kit/server/resource/submit-of.ts'
import { invalidFieldRefusal, defineRoute, type Call } from '#kit/server/module/module.ts'
import {
  commandToWire,
  clientIdInputFields,
  executeDeviceCommand,
  requireDeviceLink,
  findTenantOfDevice,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import {
  doorControlCommand,
  doorForceCloseCommand,
  doorStatusCommand,
  DOOR_CONTROL_OPTIONS,
  type DoorControlOption,
} from './door-commands.ts'
import { doorControlLog } from './door-control-log.resource.ts'
import { doorOfShopCall, DOOR_PATH } from './door-routes.calls.ts'
import { createEntryCode } from './entry-code.ts'
import { lastKnownDoors, type DoorState } from './door-state.ts'
const CONTROL = `${doorControlLog.code}_control`
const FORCE_CLOSE = `${doorControlLog.code}_forceClose`

/** Maps the door options as API clients spell them, older ones as numbers, to ours. */
const SPELLINGS: Record<string, DoorControlOption> = {
  ...Object.fromEntries(DOOR_CONTROL_OPTIONS.map((option) => [option, option])),
  keepOpen: 'hold',
  keepClose: 'keepClosed',
  normal: 'release',
  '1': 'open',
  '0': 'close',
  '2': 'hold',
  '3': 'keepClosed',
  '4': 'release',
}
/** Maps door modes to the spelling API clients expect. */
const MODES: Record<DoorState['mode'], string> = { normal: 'normal', hold: 'keepOpen', keepClosed: 'keepClose' }

const OPEN_SECONDS_MAX = 120
const HOLD_SECONDS_MAX = 12 * 3600

const doorInput = () => ({
  ...clientIdInputFields(),
  doorNo: f.number({ label: { zh: '门号', en: 'Door no.' }, min: 1, max: 99, default: 1 }),
  wait: f.boolean({
    label: { zh: '等待结果', en: 'Wait for the result' },
    help: { zh: '否则立即返回指令编号', en: 'Otherwise the command ID is returned immediately' },
    default: true,
  }),
})
const controlInput = {
  ...doorInput(),
  opt: f.text({ label: { zh: '操作', en: 'Operation' }, required: true, max: 20 }),
  reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200 }),
  durationSec: f.number({ label: { zh: '持续秒数', en: 'Duration (s)' }, min: 1, max: HOLD_SECONDS_MAX }),
}

type DoorActionInput = { clientId: string | null; doorNo: number | null; wait: boolean | null }
const whichDoor = ({ doorNo }: DoorActionInput) => doorNo ?? 1
const until = ({ wait }: DoorActionInput) => (wait === false ? ('asked' as const) : ('over' as const))

async function control(call: Call) {
  const { input } = call
  const spelt = String(input.opt)
  const opt = Object.hasOwn(SPELLINGS, spelt) ? SPELLINGS[spelt] : undefined
  if (!opt) throw invalidFieldRefusal({ fields: controlInput }, 'opt', 'not_a_choice')
  const seconds = (input.durationSec as number | null) ?? undefined
  if (opt === 'open' && seconds && seconds > OPEN_SECONDS_MAX)
    throw invalidFieldRefusal({ fields: controlInput }, 'durationSec', 'too_large', { max: OPEN_SECONDS_MAX })
  const params = { doorNo: whichDoor(call.input as DoorActionInput), opt, ...(seconds ? { seconds } : {}) }
  const commandOptions = { until: until(input as DoorActionInput), reason: input.reason as string | null }
  return commandToWire(
    await executeDeviceCommand(call, doorControlCommand, String(input.clientId), params, commandOptions),
  )
}

type Event = { doorNo: string; type: string; at: number }

/** SQL: the last event of each door within a day. */
const lastEvents = (db: Db, linkId: string, now: Date) =>
  db.query<Event>(sql`select distinct on (e.data->>'doorNo') e.data->>'doorNo' as door_no, e.type,
      (extract(epoch from e.time) * 1000)::bigint as at
    from device_event e where e.tenant_id = ${db.tenantId} and e.link_id = ${linkId}
    and e.time > ${now.toISOString()}::timestamptz - interval '1 day'
    and e.type in ('door.opened', 'door.closed', 'door.held', 'door.forced', 'lock.fault')
    order by e.data->>'doorNo', e.time desc`)

/**
 * Returns a shop's doors as last reported, with the age of that state. Door 1 with unknown state when the gateway has
 * reported none.
 */
async function doorsNow(db: Db, link: DeviceLink, now: Date) {
  const { doors, at, isStale } = lastKnownDoors(link, now)
  const events = await lastEvents(db, link.id, now)
  const unheard: DoorState = { doorNo: 1, contact: 'unknown', lock: 'unknown', mode: 'normal', until: null }
  return {
    clientId: link.clientId,
    online: link.state === 'online',
    stale: isStale,
    // Unknown values are omitted.
    ts: at ?? undefined,
    ageSeconds: at === null ? undefined : Math.round((now.getTime() - at) / 1000),
    doors: (doors.length ? doors : [unheard]).map(({ doorNo, contact, lock, mode, until: keepUntil }) => {
      const last = events.find((event) => event.doorNo === String(doorNo))
      return {
        doorNo,
        contact,
        lock,
        mode: MODES[mode],
        keepUntil: keepUntil ?? undefined,
        lastEvent: last?.type,
        lastAt: last && Number(last.at),
      }
    }),
  }
}

/** Refusals after which the last reported state is returned instead of a fresh one. */
const UNASKED = new Set(['device_offline', 'device_busy', 'device_silent', 'device_late', 'device_refused'])
  .add('device_failed')
  .add('no_device_line')
  .add('commands_too_fast')

/**
 * Asks the gateway for the state of its doors. If it does not answer, returns the last reported state, marked as stale.
 */
async function status(call: Call) {
  const { services, caller } = call
  const clientId = String(call.input.clientId)
  const isAnswered = await executeDeviceCommand(call, doorStatusCommand, clientId, {}).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refused && UNASKED.has(error.code)) return false
      throw error
    },
  )
  const tenantId = await findTenantOfDevice(call, clientId)
  const known = await services.unit({ tenantId }, async (db) =>
    doorsNow(db, await requireDeviceLink({ db, caller }, clientId), services.now()),
  )
  return { ...known, stale: known.stale || !isAnswered }
}

export const doorRoutes = [
  defineRoute({
    method: 'POST',
    path: `${DOOR_PATH}/doorControl`,
    title: { zh: '控制门', en: 'Control door' },
    can: CONTROL,
    tx: false,
    input: controlInput,
    handle: control,
  }),
  defineRoute({
    method: 'POST',
    path: `${DOOR_PATH}/focusClose`,
    title: { zh: '强制关门', en: 'Force door closed' },
    can: FORCE_CLOSE,
    tx: false,
    input: doorInput(),
    handle: async (call) => {
      const actionInput = call.input as DoorActionInput
      const params = { doorNo: whichDoor(actionInput) }
      return commandToWire(
        await executeDeviceCommand(call, doorForceCloseCommand, String(actionInput.clientId), params, {
          until: until(actionInput),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${DOOR_PATH}/doorStatus`,
    title: { zh: '查询门状态', en: 'Check door status' },
    can: [CONTROL, doorControlLog.code],
    tx: false,
    input: clientIdInputFields(),
    handle: status,
  }),
  defineRoute(doorOfShopCall, {
    title: { zh: '门店的门', en: 'Store doors' },
    can: [CONTROL, doorControlLog.code],
    handle: async ({ db, caller, services, input }) => {
      const [link] = await db.find(deviceLink, sql`r.id = ${input.shopId}${dataScopeSql(deviceLink, caller)}`)
      const now = services.now()
      // Without `of` when the shop has no gateway, and so no doors to control.
      return {
        now: now.getTime(),
        of: link && {
          shopName: (await db.get(basicShopInfo, input.shopId))?.shopName,
          ...(await doorsNow(db, link, now)),
        },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${DOOR_PATH}/entryCode`,
    title: { zh: '顾客进店码', en: 'Customer entry code' },
    can: CONTROL,
    input: { wxUserId: f.ref('', { label: wxUser.label, required: true }) },
    handle: async (call) => {
      const { db, services, caller, input } = call
      const { wxUserId } = input
      if (!(await areReferenceableRows(call, wxUser, [wxUserId])))
        throw new Refused('not_found', { label: wxUser.label })
      // The code opens only doors of shops within its creator's scope.
      return { code: createEntryCode(services, { tenantId: db.tenantId, wxUserId, shops: caller.limits.shop }) }
    },
  }),
]
