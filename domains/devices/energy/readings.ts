import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  isValidTimestampMs,
  deviceTimeToServerTime,
  onDeviceEvent,
  onDeviceState,
  type DeviceMessageContext,
} from '#domains/devices/device-messaging/api.ts'
import { epaDevice } from './epa.resource.ts'
import { applyMeterReading, roundToThousandths, type PowerMeterState } from './read-meter.ts'

const BUCKET_MS = 5 * 60_000
const KWH_MAX = 1e9
/** Meters processed per report, as each needs statements of its own. */
const METERS_MAX = 200

const figure = (value: unknown, max: number): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max ? value : null

/** SQL: cents per kilowatt-hour at a time of day. The tariff of that time, else the one without times, else 0. */
const centsAt = (db: Db, at: Date) => {
  const time = formatShanghaiTime(at).slice(11, 16)
  return sql`coalesce((select t.price * 100 from power_tariff t where t.tenant_id = ${db.tenantId} and t.is_deleted = 0
    and (t.from_time is null or t.to_time is null or case when t.from_time < t.to_time
      then ${time} >= t.from_time and ${time} < t.to_time else ${time} >= t.from_time or ${time} < t.to_time end)
    order by (t.from_time is null or t.to_time is null), t.from_time, t.id limit 1), 0)`
}

/** Stores a meter's reading and its consumption. Ignores one older than the last. */
async function noteReading(db: Db, gatewayId: string, reading: Record<string, unknown>, at: Date): Promise<void> {
  const device = await db.one<PowerMeterState>(sql`
    select id, energy::float8 as energy, power, doubtful_energy::float8 as doubtful,
      (extract(epoch from energy_time) * 1000)::float8 as read_at,
      (extract(epoch from last_report_time) * 1000)::float8 as last
    from epa_device where tenant_id = ${db.tenantId} and gateway_id = ${gatewayId}
    and client_id = ${String(reading.clientId)} and is_deleted = 0 for update`)
  if (!device || (device.last !== null && at.getTime() < device.last)) return
  const shown = figure(reading.energy, KWH_MAX)
  const read = shown === null ? undefined : applyMeterReading(device, roundToThousandths(shown), at.getTime())
  const isRead = read !== undefined && read.doubtful === null
  const power = reading.power === 'on' ? true : reading.power === 'off' ? false : device.power
  await db.run(sql`update epa_device set power = ${power}, lost = false,
      voltage = coalesce(${figure(reading.voltage, 1e6)}::numeric, voltage),
      current = coalesce(${figure(reading.current, 1e6)}::numeric, current),
      watts = coalesce(${figure(reading.watts, 1e9)}::numeric, watts),
      energy = coalesce(${read?.energy ?? null}::numeric, energy),
      energy_time = case when ${isRead} then ${at.toISOString()}::timestamptz else energy_time end,
      doubtful_energy = case when ${read !== undefined} then ${read?.doubtful ?? null}::numeric
        else doubtful_energy end,
      last_report_time = ${at.toISOString()}
    where tenant_id = ${db.tenantId} and id = ${device.id}`)
  if (power !== device.power) publishRowsChanged({ db }, epaDevice, await db.find(epaDevice, sql`r.id = ${device.id}`))
  if (read && read.used > 0) await noteUse(db, device.id, read.used, at)
}

async function noteUse(db: Db, deviceId: string, used: number, at: Date): Promise<void> {
  const bucket = new Date(Math.floor(at.getTime() / BUCKET_MS) * BUCKET_MS).toISOString()
  const row = await db.one<{ cost: number }>(sql`select (${used}::numeric * ${centsAt(db, at)})::float8 as cost`)
  const { cost } = row!
  await db.run(sql`insert into power_reading as p (tenant_id, device_id, time, used, cost)
    values (${db.tenantId}, ${deviceId}, ${bucket}, ${used}, ${cost})
    on conflict (tenant_id, device_id, time) do update set used = p.used + excluded.used,
      cost = p.cost + excluded.cost`)
  await db.run(sql`insert into power_day as p (tenant_id, device_id, day, used, cost)
    values (${db.tenantId}, ${deviceId}, ${formatShanghaiTime(at).slice(0, 10)}, ${used}, ${cost})
    on conflict (tenant_id, device_id, day) do update set used = p.used + excluded.used,
      cost = p.cost + excluded.cost`)
}

onDeviceEvent('power.report', ({ db, link, data, at }) => noteReading(db, link.id, data, at))

/** Returns when a state was sent. A retained one may be older than readings received since. */
const sentAtOf = ({ data, link, at }: DeviceMessageContext): Date =>
  isValidTimestampMs(data.ts) ? deviceTimeToServerTime(data.ts, link.clockOffset, at.getTime()) : at

onDeviceState(async (context) => {
  const { db, link, data } = context
  if (!Array.isArray(data.power)) return
  for (const reading of data.power.slice(0, METERS_MAX))
    if (typeof reading === 'object' && reading !== null) await noteReading(db, link.id, reading, sentAtOf(context))
})
