import { f, type RowOf } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import {
  commandToWire,
  requestCommand,
  clientIdInputFields,
  executeDeviceCommand,
  syncDeviceClock,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { epaDevice, epaGateway } from './epa.resource.ts'
import {
  powerDeviceSyncCommand,
  powerDeviceClearCommand,
  powerSwitchCommand,
  type PowerSwitchOption,
} from './power-commands.ts'
import { recordPowerOverride } from './schedule.job.ts'

type Gateway = RowOf<typeof epaGateway>

/** Maps the switch options as API clients spell them, older ones as numbers, to ours. */
const SPELLINGS: Record<string, PowerSwitchOption> = {
  on: 'on',
  off: 'off',
  toggle: 'toggle',
  '1': 'on',
  '0': 'off',
  '2': 'toggle',
}

/** Returns a power gateway in the caller's scope by its number or id; refuses an unknown one. */
async function gatewayBy({ caller, services }: Call, by: { clientId: string } | { id: string }): Promise<Gateway> {
  const which = 'id' in by ? sql`r.id = ${by.id}` : sql`r.client_id = ${by.clientId}`
  const owner = caller.isPlatform
    ? await services.unit({ crossTenantReason: 'platform administrator: whose gateway is this' }, (db) =>
        db.one<{ tenantId: string }>(sql`select r.tenant_id from epa_gateway r left join device_link l
          on l.tenant_id = r.tenant_id and l.id = r.id where ${which} and r.is_deleted = 0
          order by l.last_seen_time desc nulls last, r.id limit 1`),
      )
    : caller
  const [gateway] = owner
    ? await services.unit({ tenantId: owner.tenantId }, (db) =>
        db.find(epaGateway, sql`${which}${dataScopeSql(epaGateway, caller)}`),
      )
    : []
  if (!gateway) throw new Refused('not_found', { label: epaGateway.label })
  return gateway
}

const powerInput = {
  gatewayId: f.ref('', { label: epaGateway.label, required: true }),
  clientId: f.text({ label: epaDevice.fields.clientId.label, max: 64, required: true }),
  opt: f.text({
    label: { zh: '操作', en: 'Operation' },
    help: { zh: 'on、off、toggle', en: 'on, off, toggle' },
    required: true,
    max: 10,
  }),
  until: f.datetime({
    label: { zh: '保持到', en: 'Until' },
    isEnd: true,
    help: { zh: '留空为到规则的下次动作', en: 'Leave blank to keep it until the next scheduled action' },
  }),
  wait: f.boolean({
    label: { zh: '等待结果', en: 'Wait for the result' },
    help: { zh: '否则设备接收后即返回', en: 'Otherwise returns once the device has accepted the command' },
    default: true,
  }),
}

async function switchPower(
  call: Call<{ gatewayId: string; clientId: string; opt: string; until?: string | null; wait?: boolean | null }>,
) {
  const { input } = call
  const { caller, services } = call
  const opt = SPELLINGS[input.opt]
  if (!opt) throw new Refused('not_found', { label: powerInput.opt.label })
  const until = input.until ? parseShanghaiTime(input.until) : undefined
  const gateway = await gatewayBy(call, { id: input.gatewayId })
  const target = { tenantId: gateway.tenantId }
  const [device] = await services.unit(target, (db) =>
    db.find(
      epaDevice,
      sql`r.gateway_id = ${gateway.id} and r.client_id = ${input.clientId}${dataScopeSql(epaDevice, caller)}`,
    ),
  )
  if (!device) throw new Refused('not_found', { label: epaDevice.label })
  const command = await executeDeviceCommand(
    call,
    powerSwitchCommand,
    gateway.clientId,
    { clientId: input.clientId, opt },
    {
      until: input.wait === false ? 'taken' : 'over',
    },
  )
  await services.unit(target, async (db) => {
    await recordPowerOverride(db, services, { deviceId: device.id, userId: caller.userId, until })
    publishRowsChanged({ db }, epaDevice, [device])
  })
  return commandToWire(command)
}

/**
 * Deletes all devices of a gateway after it has forgotten them. If it is offline, they are deleted at once, and it
 * forgets them when it connects.
 */
async function removeAll(call: Call, clientId: string) {
  const { caller, services } = call
  const gateway = await gatewayBy(call, { clientId })
  const target = { tenantId: gateway.tenantId }
  const actor = { userId: caller.userId, deptId: caller.deptIds[0] ?? null }
  const { reach, all, link } = await services.unit(target, async (db) => ({
    reach: await db.find(epaDevice, sql`r.gateway_id = ${gateway.id}${dataScopeSql(epaDevice, caller)}`),
    all: await db.find(epaDevice, sql`r.gateway_id = ${gateway.id}`),
    link: await db.get(deviceLink, gateway.id),
  }))
  // The gateway can only forget all devices, so it is not asked when the caller may not remove all of them.
  const asks = link && reach.length > 0 && reach.length === all.length
  const canClearGateway = asks && link.state === 'online'
  if (canClearGateway) await executeDeviceCommand(call, powerDeviceClearCommand, gateway.clientId, {})
  return services.unit(
    target,
    async (db) => {
      const rows = await db.find(
        epaDevice,
        sql`r.gateway_id = ${gateway.id}${dataScopeSql(epaDevice, caller)}`,
        sql`order by r.id`,
      )
      if (rows.length)
        await db.remove(
          epaDevice,
          rows.map((row) => row.id),
        )
      publishRowsChanged({ db }, epaDevice, rows)
      if (asks && !canClearGateway)
        await requestCommand(
          { db, services },
          powerDeviceClearCommand,
          link,
          {},
          { source: 'office', userId: caller.userId },
        )
      return { count: rows.length }
    },
    actor,
  )
}

export const powerRoutes = [
  defineRoute({
    method: 'POST',
    path: `${epaGateway.path}/syncTime`,
    title: { zh: '用电网关校时', en: 'Set power gateway clock' },
    can: `${deviceLink.code}_time`,
    tx: false,
    input: clientIdInputFields(),
    handle: async (call) => {
      const { clientId } = await gatewayBy(call, call.input)
      return syncDeviceClock(call, clientId)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${epaGateway.path}/syncInfo`,
    title: { zh: '同步用电设备', en: 'Sync power devices' },
    can: `${epaGateway.code}_sync`,
    tx: false,
    input: clientIdInputFields(),
    handle: async (call) => {
      const { clientId } = await gatewayBy(call, call.input)
      return commandToWire(await executeDeviceCommand(call, powerDeviceSyncCommand, clientId, {}, { until: 'taken' }))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${epaDevice.path}/power`,
    title: { zh: '通断电', en: 'Switch power device' },
    can: `${epaDevice.code}_power`,
    tx: false,
    input: powerInput,
    handle: switchPower,
  }),
  defineRoute({
    method: 'POST',
    path: `${epaDevice.path}/removeAll`,
    title: { zh: '移除网关的全部设备', en: 'Remove all gateway devices' },
    can: `${epaDevice.code}_delete`,
    tx: false,
    input: { clientId: { ...epaGateway.fields.clientId, required: true } },
    handle: (call) => removeAll(call, call.input.clientId),
  }),
]
