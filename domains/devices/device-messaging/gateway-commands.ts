import { f } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, defineRoute, type Call } from '#kit/server/module/module.ts'
import { executeDeviceCommand, requireDeviceLink, findTenantOfDevice } from './request-command.ts'
import { isClockOff } from './clock-error.ts'
import { defineCommand } from './command.ts'
import { sendClockErrorToDevice } from './device-clock.ts'
import { deviceLink } from './device-link.resource.ts'
import { REBOOT_TARGETS, rebootTargetsOfKind } from './reboots.ts'

/**
 * Restarts a device or what is attached to it. Done when the device's hello shows a new start after it acknowledged the
 * command. Its own "done" proves nothing, and neither does a new start without an acknowledgement, which may have been
 * a power failure.
 */
const reboot = defineCommand<{ type: number }>({
  method: 'gw.reboot',
  label: { zh: '重启', en: 'Restart' },
  summary: ({ type }) => {
    const what = REBOOT_TARGETS.find(({ key }) => key === String(type))
    return { zh: `重启${what?.zh ?? ''}`, en: `Restart: ${what?.en ?? ''}` }
  },
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 120_000,
  lifeMs: 10_000,
  offline: 'refuse',
  lane: () => 'reboot',
  completedByHello: ({ state, takenTime }, hello, was) => {
    if (hello.bootId === was.boot) return undefined
    return state === 'taken' || takenTime ? { state: 'done', code: 0 } : 'seen'
  },
})

/** Sets a device's clock to the server's. The result says by how many milliseconds it was off. */
const timeSync = defineCommand<{ tz: string }>({
  method: 'time.sync',
  label: { zh: '校时', en: 'Sync clock' },
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 15_000,
  offline: 'refuse',
  ended: async (db, { state, linkId }) => {
    if (state === 'done')
      await db.run(sql`update device_link set clock_offset = 0 where tenant_id = ${db.tenantId} and id = ${linkId}`)
  },
  perMinute: 12,
  // The time is determined at each sending, as a resent command would set the clock back by the delay.
  resolveAtSend: (_command, { now }) => ({ now: now().getTime() }),
})

const number = { zh: '网关编号', en: 'Gateway number' }
export const clientIdInputFields = () => ({ clientId: f.text({ label: number, max: 64, required: true }) })

/** The part all responses about a command have in common: its id, state and result. */
export const commandToWire = (command: { id: string; state: string | null; result: unknown }) => ({
  cmdId: command.id,
  state: command.state,
  ...(typeof command.result === 'object' && command.result !== null ? command.result : {}),
})

/** Returns a device the caller may command; refuses an unknown one. */
async function deviceOf(call: Call, clientId: string) {
  const { services, caller } = call
  const tenantId = await findTenantOfDevice(call, clientId)
  return services.unit({ tenantId }, (db) => requireDeviceLink({ db, caller }, clientId))
}

/**
 * Tells a device its clock offset first. A clock that jumped since the hello would make it reject every command as
 * late, even the one that sets the clock.
 */
async function sendClockErrorIfOnline(call: Call, clientId: string): Promise<void> {
  const { tenantId, state, clockOffset } = await deviceOf(call, clientId)
  const offsetMs = clockOffset ?? 0
  if (state !== 'online' || !isClockOff(offsetMs)) return
  await sendClockErrorToDevice(call.services, { tenantId, clientId }, offsetMs)
}

export async function syncDeviceClock(call: Call, clientId: string) {
  await sendClockErrorIfOnline(call, clientId)
  return commandToWire(await executeDeviceCommand(call, timeSync, clientId, { tz: 'Asia/Shanghai' }))
}

const rebootInput = {
  ...clientIdInputFields(),
  type: f.number({ label: { zh: '重启什么', en: 'What to restart' }, min: 1, max: 5, default: 1 }),
}

export const gatewayCommandRoutes = [
  defineRoute({
    method: 'POST',
    path: `${deviceLink.path}/syncTime`,
    title: { zh: '设备校时', en: 'Sync device clock' },
    can: `${deviceLink.code}_time`,
    tx: false,
    input: clientIdInputFields(),
    handle: (call) => syncDeviceClock(call, call.input.clientId),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/basicShopInfo/reboot',
    title: { zh: '重启网关或收银机', en: 'Restart gateway or register' },
    can: 'deviceLink_reboot',
    tx: false,
    input: rebootInput,
    handle: async (call) => {
      const { clientId, type } = call.input
      const { kind } = await deviceOf(call, clientId)
      if (!rebootTargetsOfKind(kind).some(({ key }) => key === String(type)))
        throw invalidFieldRefusal({ fields: rebootInput }, 'type', 'not_a_choice')
      return commandToWire(await executeDeviceCommand(call, reboot, clientId, { type: type ?? 1 }, { until: 'taken' }))
    },
  }),
]
