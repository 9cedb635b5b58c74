import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineCommand, type DeviceCommand } from '#domains/devices/device-messaging/api.ts'
import { epaDevice, epaGateway } from './epa.resource.ts'

export type PowerSwitchOption = 'on' | 'off' | 'toggle'

const words: Record<PowerSwitchOption, { zh: string; en: string }> = {
  on: { zh: '通电', en: 'on' },
  off: { zh: '断电', en: 'off' },
  toggle: { zh: '切换', en: 'Toggle' },
}

/** Switches a device. Confirmed when the gateway's reported state shows it. */
export const powerSwitchCommand = defineCommand<{ clientId: string; opt: PowerSwitchOption }>({
  method: 'sub.power',
  label: { zh: '通断电', en: 'Switch on/off' },
  summary: ({ clientId, opt }) => ({ zh: `${clientId} ${words[opt].zh}`, en: `${clientId}: ${words[opt].en}` }),
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 8_000,
  offline: 'refuse',
  lane: ({ clientId }) => `power/${clientId}`,
  // Limit for all devices of one gateway, to protect the relays.
  perMinute: 60,
  isSeen: ({ clientId, opt }, state, { result }) => {
    const wanted = opt === 'toggle' ? (result as { power?: string } | null)?.power : opt
    const shown = Array.isArray(state.power) ? state.power : []
    return shown.some((one: Record<string, unknown> | null) => one?.clientId === clientId && one.power === wanted)
  },
  ended: async (db, command) => {
    if (command.state !== 'done' || command.source !== 'schedule') return
    const { clientId } = command.params as { clientId: string }
    await db.run(sql`update power_plan p set tries_left = 0 from epa_device d where p.tenant_id = ${db.tenantId}
      and d.tenant_id = p.tenant_id and d.id = p.device_id and d.gateway_id = ${command.linkId}
      and d.client_id = ${clientId} and d.is_deleted = 0`)
  },
})

/** Asks a gateway for its device list. The list is applied when the command ends, even if nobody waits any more. */
export const powerDeviceSyncCommand = defineCommand<Record<string, never>>({
  method: 'info.sync',
  label: { zh: '同步用电设备', en: 'Sync device list' },
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 60_000,
  offline: 'refuse',
  lane: () => 'info',
  ended: (db, command) => takeIn(db, command),
})

/** Makes a gateway forget its devices. Waits for one that is offline, as the devices are deleted here already. */
export const powerDeviceClearCommand = defineCommand<Record<string, never>>({
  method: 'sub.clear',
  label: { zh: '清空用电设备', en: 'Clear devices' },
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 15_000,
  lifeMs: 30 * 86_400_000,
  offline: 'wait',
  replaces: () => 'subs',
})

type Sub = { clientId: string; kind?: string; address?: string | number; name?: string }

const isSub = (sub: Sub | null): sub is Sub => /^.{1,64}$/.test(String(sub?.clientId ?? '')) && sub?.kind !== 'tag'

/** Applies a gateway's device list: adds new devices, marks missing ones as lost, removes none. */
async function takeIn(db: Db, { state, result, linkId }: DeviceCommand): Promise<void> {
  const subs = (result as { subs?: (Sub | null)[] } | null)?.subs
  if (state !== 'done' || !Array.isArray(subs)) return
  const gateway = await db.get(epaGateway, linkId!, 'forUpdate')
  if (!gateway) return
  const known = await db.find(epaDevice, sql`r.gateway_id = ${gateway.id}`, sql`order by r.id`)
  const listed = new Map(subs.filter(isSub).map((sub) => [String(sub.clientId), sub]))
  const changed = []
  for (const device of known) {
    const sub = listed.get(device.clientId)
    const address = sub?.address === undefined ? device.address : String(sub.address).slice(0, 20)
    if (device.lost === !sub && device.address === address) continue
    changed.push(await db.update(epaDevice, device.id, { lost: !sub, address }))
  }
  for (const [clientId, sub] of listed)
    if (!known.some((device) => device.clientId === clientId))
      changed.push(
        await db.insert(epaDevice, {
          name: (String(sub.name ?? '').trim() || clientId).slice(0, epaDevice.fields.name.max),
          clientId,
          gatewayId: gateway.id,
          shopId: gateway.shopId,
          address: sub.address === undefined ? null : String(sub.address).slice(0, 20),
          kind: 'other',
          power: false,
          lost: false,
        }),
      )
  await db.update(epaGateway, gateway.id, { infoVersion: (gateway.infoVersion ?? 0) + 1 })
  publishRowsChanged({ db }, epaDevice, changed)
}
