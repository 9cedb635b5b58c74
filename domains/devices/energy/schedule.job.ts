import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requestCommand } from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import {
  nextPowerScheduleState,
  evaluateDevicePowerRules,
  type PowerScheduleState,
  type PowerScheduleRule,
} from './schedule.ts'
import { powerSwitchCommand } from './power-commands.ts'

/** A visit without an end after so many hours counts as over: its end was missed. */
const STAY_HOURS = 12

type Ruled = PowerScheduleRule & { tenantId: string; deviceId: string }

/** SQL: the enabled rules of the devices that `which` (on `d`) selects, with the data they are evaluated by. */
export const powerRulesSql = (which: Sql, now: Date): Sql => sql`
  select r.tenant_id as "tenantId", r.device_id::text as "deviceId", r.kind, r.from_time as "fromTime",
    r.to_time as "toTime", r.days, r.offset_minutes as "offsetMinutes", r.linger_minutes as "lingerMinutes",
    b.latitude::float8 as latitude, b.longitude::float8 as longitude,
    coalesce(c.light_schedule, '[]'::jsonb) as lights, coalesce(v.is_inside, false) as "isInside",
    (extract(epoch from v.left_time) * 1000)::float8 as "leftAt"
  from power_rule r
  join epa_device d on d.tenant_id = r.tenant_id and d.id = r.device_id and d.is_deleted = 0
  join basic_shop_info b on b.tenant_id = d.tenant_id and b.id = d.shop_id
  left join shop_conf c on c.tenant_id = d.tenant_id and c.shop_id = d.shop_id and c.is_deleted = 0
  left join lateral (select bool_or(x.leave_time is null) as is_inside, max(x.leave_time) as left_time
    from customer_visit_log x where r.kind = 'visits' and x.tenant_id = d.tenant_id and x.shop_id = d.shop_id
    and x.enter_time > ${new Date(now.getTime() - STAY_HOURS * 3_600_000).toISOString()}) v on true
  where r.is_deleted = 0 and r.enabled and ${which} order by r.device_id, r.id`

export const powerScheduleStatesSql = (which: Sql): Sql => sql`
  select p.tenant_id as "tenantId", p.device_id::text as "deviceId", p.wanted, p.tries_left as "triesLeft",
    (extract(epoch from p.override_time) * 1000)::float8 as "overrideTime",
    (extract(epoch from p.override_until) * 1000)::float8 as "overrideUntil", u.name as "overrideBy"
  from power_plan p join epa_device d on d.tenant_id = p.tenant_id and d.id = p.device_id
  left join sys_user u on u.tenant_id = p.tenant_id and u.id = p.override_user
  where ${which}`

const everywhere = { crossTenantReason: 'power schedules of all tenants' }

/** Switches the devices with rules when what their rules want changes. */
export async function applyPowerSchedules(services: Services): Promise<void> {
  const now = services.now()
  const ruled = await services.unit(everywhere, async (db) => {
    // A device without rules loses its state, so that it starts anew when it gets rules again.
    await db.run(sql`delete from power_plan p where not exists (select 1 from power_rule r
      where r.tenant_id = p.tenant_id and r.device_id = p.device_id and r.is_deleted = 0 and r.enabled)`)
    return db.query<Ruled>(powerRulesSql(sql`d.lost is not true`, now))
  })
  for (const [deviceId, rules] of Map.groupBy(ruled, (rule) => rule.deviceId)) {
    const { tenantId } = rules[0]!
    const { isOn } = evaluateDevicePowerRules(rules, now)
    await services.unit({ tenantId }, (db) => keepDevice(db, services, deviceId, isOn))
  }
}

async function keepDevice(db: Db, services: Services, deviceId: string, isOn: boolean): Promise<void> {
  await db.advisoryLock(`power/${deviceId}`)
  const device = await db.one<{ gatewayId: string; clientId: string; power: boolean }>(sql`select gateway_id, client_id,
    power from epa_device where tenant_id = ${db.tenantId} and id = ${deviceId} and is_deleted = 0`)
  if (!device) return
  const was = await db.one<PowerScheduleState>(
    powerScheduleStatesSql(sql`p.tenant_id = ${db.tenantId} and p.device_id = ${deviceId}`),
  )
  const plan = { ...nextPowerScheduleState(was, isOn, services.now()) }
  if (device.power === isOn) plan.triesLeft = 0
  const link = plan.triesLeft ? await db.get(deviceLink, device.gatewayId) : undefined
  if (link?.state === 'online') {
    plan.triesLeft--
    const opt = isOn ? 'on' : 'off'
    await requestCommand(
      { db, services },
      powerSwitchCommand,
      link,
      { clientId: device.clientId, opt },
      { source: 'schedule' },
    )
  }
  if (was && was.wanted === plan.wanted && was.triesLeft === plan.triesLeft && was.overrideTime === plan.overrideTime)
    return
  const isHeld = plan.overrideTime !== null
  await db.run(sql`insert into power_plan as p (tenant_id, device_id, wanted, tries_left)
    values (${db.tenantId}, ${deviceId}, ${plan.wanted}, ${plan.triesLeft})
    on conflict (tenant_id, device_id) do update set wanted = excluded.wanted, tries_left = excluded.tries_left,
      override_time = case when ${isHeld} then p.override_time end,
      override_until = case when ${isHeld} then p.override_until end,
      override_user = case when ${isHeld} then p.override_user end`)
}

/**
 * Records that a device was switched by hand. Its rules pause until `until`, else until they next change their mind.
 */
export async function recordPowerOverride(
  db: Db,
  services: Services,
  { deviceId, userId, until }: { deviceId: string; userId: string; until?: Date },
): Promise<void> {
  const now = services.now()
  await db.advisoryLock(`power/${deviceId}`)
  const rules = await db.query<Ruled>(powerRulesSql(sql`d.tenant_id = ${db.tenantId} and d.id = ${deviceId}`, now))
  if (!rules.length) return
  await db.run(sql`insert into power_plan (tenant_id, device_id, wanted, tries_left, override_time, override_until,
      override_user)
    values (${db.tenantId}, ${deviceId}, ${evaluateDevicePowerRules(rules, now).isOn}, 0, ${now.toISOString()},
      ${until?.toISOString() ?? null}, ${userId})
    on conflict (tenant_id, device_id) do update set wanted = excluded.wanted, tries_left = 0,
      override_time = excluded.override_time, override_until = excluded.override_until,
      override_user = excluded.override_user`)
}

export const applyPowerSchedulesJob = defineModuleJob({
  queue: defineQueue('power.schedule'),
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) => applyPowerSchedules(services),
})
