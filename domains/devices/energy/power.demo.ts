import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { epaDevice } from './epa.resource.ts'
import { powerRule } from './power-rule.resource.ts'
import { powerTariff } from './power-tariff.resource.ts'

/** Hours a day that something is on. */
const hours = sql`case d.kind when 'fridge' then 24 when 'airCon' then 9 when 'sign' then 6 else 16 end`
/** Power in watts. At least 120, as a device may be off at this moment. */
const watts = sql`greatest(d.watts, 120)`
/** Varies consumption from day to day by a hash, so that the demo data is the same each time. */
const about = (of: ReturnType<typeof sql>) => sql`(0.85 + abs(hashtext(d.client_id || ${of}::text)) % 30 / 100.0)`
/** Cents of a kilowatt-hour, between the prices of day and night. */
const CENTS = 72

/** Creates tariffs, rules for lights by opening hours, and past consumption. */
export async function seedPowerUsage(db: Db, { now, days }: { now: Date; days: number }): Promise<void> {
  await db.insert(powerTariff, { name: '谷时', fromTime: '22:00', toTime: '06:00', price: 0.3588 })
  await db.insert(powerTariff, { name: '平时', price: 0.8288 })
  for (const { id, shopId } of await db.find(epaDevice, sql`r.kind = 'light'`, sql`order by r.id`))
    await db.insert(powerRule, {
      deviceId: id,
      shopId,
      kind: 'hours',
      offsetMinutes: 0,
      lingerMinutes: 5,
      enabled: true,
    })
  const today = formatShanghaiTime(now).slice(0, 10)
  await db.run(sql`insert into power_day (tenant_id, device_id, day, used, cost)
    select tenant_id, id, day, used, used * ${CENTS} from (
      select d.tenant_id, d.id, g::date as day,
        round((${watts} * ${hours} / 1000 * ${about(sql`g`)})::numeric, 3) as used
      from epa_device d, generate_series(${today}::date - ${days}::int, ${today}::date - 1, interval '1 day') g
      where d.tenant_id = ${db.tenantId}) told`)
  await db.run(sql`with told as (
      insert into power_reading (tenant_id, device_id, time, used, cost)
      select tenant_id, id, time, used, used * ${CENTS} from (
        select d.tenant_id, d.id, g as time,
          round((${watts} * ${hours} / 24 / 12000 * ${about(sql`extract(hour from g)`)})::numeric, 3) as used
        from epa_device d, generate_series(${`${today} 00:00:00+08`}::timestamptz,
          ${now.toISOString()}::timestamptz - interval '5 minutes', interval '5 minutes') g
        where d.tenant_id = ${db.tenantId}) read returning *)
    insert into power_day (tenant_id, device_id, day, used, cost)
    select tenant_id, device_id, ${today}::date, sum(used), sum(cost) from told group by tenant_id, device_id`)
}
