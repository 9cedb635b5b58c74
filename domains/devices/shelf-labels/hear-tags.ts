import type { Sql } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { resolveEvents, raiseEvent } from '#domains/shops/shop-events/api.ts'
import { onDeviceEvent, onDeviceLinkState, type DeviceMessageContext } from '#domains/devices/device-messaging/api.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { enqueueTagPush } from './push-later.ts'
import { recordTagFailure, recordTagShown, updateLostTagsEvent } from './tag-outcomes.ts'

/** Below this a battery lasts some weeks; above the other it was changed. */
const LOW_MV = 2_600
const FULL_MV = 2_700
/** Where the scale of per cents begins and ends. */
const EMPTY_MV = 2_400
const NEW_MV = 3_000

/** What gateways report of their tags. */
export function registerTagHandlers(): void {
  onDeviceEvent('tag.shown', async (heard) => {
    const tag = await reported(heard)
    if (tag) await recordTagShown(heard.db, { ...tag, hash: String(heard.data.hash ?? '') }, heard.at)
  })
  onDeviceEvent('tag.failed', async (heard) => {
    const tag = await reported(heard)
    if (tag) await recordTagFailure(heard.db, { ...tag, hash: String(heard.data.hash ?? '') }, heard.at, 'tag.failed')
  })
  onDeviceEvent('tag.report', async (heard) => void (await reported(heard)))
  onDeviceLinkState(async ({ db, data, at }) => {
    if (data.now === 'online') await enqueueTagPush(db, at)
  })
}

/** What a measurement can be; what lies outside was not measured. */
const within = (value: unknown, least: number, most: number): number | null =>
  typeof value === 'number' && value >= least && value <= most ? Math.round(value) : null
/** Of a battery, in millivolts. */
export const parseBatteryMillivolts = (value: unknown): number | null => within(value, 500, 10_000)
/** Of a signal, in dBm. */
export const parseSignalDbm = (value: unknown): number | null => within(value, -150, 20)

/** A tag was heard of by its own gateway. */
const reported = ({ db, link, data, at }: DeviceMessageContext) =>
  recordTagReport(
    db,
    sql`tag_id = ${String(data.tagId)} and coalesce(gateway_id, shop_id) = ${link.id} and account_id is null`,
    { batteryMv: parseBatteryMillivolts(data.batteryMv), rssi: parseSignalDbm(data.rssi), at },
  )

type Report = { batteryMv: number | null; rssi: number | null; at: Date }

/** A tag was heard of: it is not lost, and says how its battery is. */
export async function recordTagReport(
  db: Db,
  which: Sql,
  { batteryMv, rssi, at }: Report,
): Promise<{ id: string; tagId: string } | undefined> {
  const percent =
    batteryMv === null
      ? null
      : Math.max(0, Math.min(100, Math.round(((batteryMv - EMPTY_MV) / (NEW_MV - EMPTY_MV)) * 100)))
  const tag = await db.one<{ id: string; tagId: string; shopId: string; isBack: boolean }>(sql`
    with was as (select id, status from price_tag where tenant_id = ${db.tenantId} and ${which}
      and is_deleted = 0 for update)
    update price_tag t set last_report_time = greatest(t.last_report_time, ${at.toISOString()}::timestamptz),
      battery_mv = coalesce(${batteryMv}::int, t.battery_mv), battery = coalesce(${percent}::int, t.battery),
      signal = coalesce(${rssi}::int, t.signal),
      status = case when was.status = ${PRICE_TAG_STATE.lost} then ${PRICE_TAG_STATE.waiting}::int else t.status end,
      next_time = case when was.status = ${PRICE_TAG_STATE.lost} then ${at.toISOString()}::timestamptz else
        t.next_time end
    from was where t.tenant_id = ${db.tenantId} and t.id = was.id
    returning t.id, t.tag_id, t.shop_id, was.status = ${PRICE_TAG_STATE.lost} as is_back`)
  if (!tag) return undefined
  if (tag.isBack) {
    await enqueueTagPush(db, at)
    await updateLostTagsEvent(db, tag.shopId)
  }
  const about = { shopId: tag.shopId, type: 'tagBatteryLow', subject: tag.id } as const
  if (batteryMv !== null && batteryMv < LOW_MV)
    await raiseEvent(db, {
      ...about,
      content: {
        zh: `价签 ${tag.tagId} 电池 ${batteryMv} 毫伏，请更换`,
        en: `The battery of tag ${tag.tagId} is at ${batteryMv} mV: change it`,
      },
    })
  else if (batteryMv !== null && batteryMv > FULL_MV) await resolveEvents(db, about)
  return tag
}
