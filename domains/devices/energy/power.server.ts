import './refusals.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { epaDevice, epaGateway } from './epa.resource.ts'
import { powerRule } from './power-rule.resource.ts'
import { powerTariff } from './power-tariff.resource.ts'
import { evaluateDevicePowerRules } from './schedule.ts'
import { powerScheduleStatesSql, powerRulesSql } from './schedule.job.ts'

export const epaGatewayServer = serve(epaGateway, {
  where: ({ query }) => {
    if (query.online !== 'true' && query.online !== 'false') return sql``
    return sql` and (select l.state = 'online' from device_link l where l.tenant_id = r.tenant_id and l.id = r.id)
      is ${query.online === 'true' ? sql`true` : sql`not true`}`
  },
  present: async (wire, rows, call) => {
    const [lines] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select id::text, state = 'online' as online, coalesce(firmware, '') as firmware,
          round(clock_offset / 1000.0)::float8 as "timeDrift", last_seen_time as "lastSeenTime"
        from device_link where tenant_id = any(${[...new Set(rows.map((row) => row.tenantId))]})
        and id = any(${rows.map((row) => row.id)}::bigint[])`,
    ])
    const known = new Map(lines!.map(({ id, ...line }) => [String(id), line]))
    rows.forEach((row, at) => {
      const line = known.get(row.id)
      Object.assign(wire[at]!, { online: line?.online === true })
      for (const key of ['firmware', 'timeDrift', 'lastSeenTime'] as const)
        if (line && line[key] !== null) wire[at]![key] = line[key]
    })
  },
  // A gateway that moves to another shop takes its devices along.
  afterSave: async (row, was, { db }) => {
    if (was && was.shopId !== row.shopId) await moveDevices(db, row.id, row.shopId!)
  },
})

async function moveDevices(db: Db, gatewayId: string, shopId: string): Promise<void> {
  await db.run(
    sql`update epa_device set shop_id = ${shopId} where tenant_id = ${db.tenantId} and gateway_id = ${gatewayId}`,
  )
  await db.run(sql`update power_rule r set shop_id = ${shopId} from epa_device d where r.tenant_id = ${db.tenantId}
    and d.tenant_id = r.tenant_id and d.id = r.device_id and d.gateway_id = ${gatewayId}`)
}

const words = {
  on: { zh: '{time} 通电', en: 'On at {time}' },
  off: { zh: '{time} 断电', en: 'Off at {time}' },
  visits: { zh: '有人时通电', en: 'On while occupied' },
  always: { zh: '一直通电', en: 'Always on' },
  held: { zh: '{name}，到 {time}', en: '{name}, until {time}' },
  next: { zh: '{name}，到下次动作', en: '{name}, until the next action' },
}

const fillIn = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (_all, key: string) => values[key] ?? '')

/** Formats a time as "22:30" when it is today, else as "11-23 06:30". */
function clockOf(moment: Date, now: Date): string {
  const text = formatShanghaiTime(moment)
  return text.slice(0, 10) === formatShanghaiTime(now).slice(0, 10) ? text.slice(11, 16) : text.slice(5, 16)
}

export const epaDeviceServer = serve(epaDevice, {
  beforeSave: async (draft, was, { db }) => {
    if (was) return
    const gateway = await db.one<{ shopId: string }>(
      sql`select shop_id from epa_gateway where tenant_id = ${db.tenantId} and id = ${draft.gatewayId}
        and is_deleted = 0 for share`,
    )
    if (!gateway) throw invalidFieldRefusal(epaDevice, 'gatewayId', 'not_found')
    draft.shopId = gateway.shopId
  },
  present: async (wire, rows, call) => {
    const now = call.services.now()
    const which = sql`d.tenant_id = any(${[...new Set(rows.map((row) => row.tenantId))]})
      and d.id = any(${rows.map((row) => row.id)}::bigint[])`
    const [rules, plans] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      powerRulesSql(which, now),
      powerScheduleStatesSql(which),
    ])
    const rulesOf = Map.groupBy(rules as any[], ({ deviceId }) => String(deviceId))
    const planOf = new Map(plans!.map((plan) => [String(plan.deviceId), plan]))
    rows.forEach((row, at) => {
      const own = rulesOf.get(row.id)
      if (!own) return
      const { isOn, next } = evaluateDevicePowerRules(own, now)
      const time = next ? clockOf(next, now) : ''
      wire[at]!.plan = fillIn(words[next ? (isOn ? 'off' : 'on') : isOn ? 'always' : 'visits'][call.lang], { time })
      const plan = planOf.get(row.id)
      if (!plan || plan.overrideTime === null) return
      const until = plan.overrideUntil === null ? undefined : new Date(Number(plan.overrideUntil))
      wire[at]!.override = fillIn(words[until ? 'held' : 'next'][call.lang], {
        name: String(plan.overrideBy ?? ''),
        time: until ? clockOf(until, now) : '',
      })
    })
  },
})

export const powerRuleServer = serve(powerRule, {
  beforeSave: async (draft, was, { db }) => {
    const value = <K extends 'kind' | 'deviceId'>(key: K) => (draft[key] === undefined ? was?.[key] : draft[key])
    const device = await db.one<{ shopId: string; hasPlace: boolean }>(sql`select d.shop_id,
      b.latitude is not null and b.longitude is not null as has_place from epa_device d
      join basic_shop_info b on b.tenant_id = d.tenant_id and b.id = d.shop_id
      where d.tenant_id = ${db.tenantId} and d.id = ${value('deviceId')} and d.is_deleted = 0`)
    if (!device) throw invalidFieldRefusal(powerRule, 'deviceId', 'not_found')
    if (value('kind') === 'sunset' && !device.hasPlace) throw new Refused('shop_without_place')
    draft.shopId = device.shopId
    // An absent number travels as -1, which is a valid offset here, so an empty one is stored as 0.
    if (!was || draft.offsetMinutes !== undefined) draft.offsetMinutes ??= 0
  },
})

export const powerTariffServer = serve(powerTariff)
