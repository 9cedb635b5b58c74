import type { Sql } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { resolveEvents, raiseEvent } from '#domains/shops/shop-events/api.ts'
import { onDeviceEvent, onDeviceLinkState, type DeviceMessageContext } from '#domains/devices/device-messaging/api.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { enqueueTagPush } from './push-later.ts'
import { recordTagFailure, recordTagShown, updateLostTagsEvent } from './tag-outcomes.ts'

/** Below this, a battery lasts some weeks and an event is raised. */
const LOW_MV = 2_600
/** Above this, the battery was replaced and the event is resolved. */
const FULL_MV = 2_700
/** Voltage shown as 0 per cent. */
const EMPTY_MV = 2_400
/** Voltage shown as 100 per cent. */
const NEW_MV = 3_000

/** Registers the handlers for what gateways report about their tags. */
export function registerTagHandlers(): void {
  onDeviceEvent('tag.shown', async (context) => {
    const tag = await reported(context)
    if (tag) await recordTagShown(context.db, { ...tag, hash: String(context.data.hash ?? '') }, context.at)
  })
  onDeviceEvent('tag.failed', async (context) => {
    const tag = await reported(context)
    if (tag)
      await recordTagFailure(context.db, { ...tag, hash: String(context.data.hash ?? '') }, context.at, 'tag.failed')
  })
  onDeviceEvent('tag.report', async (context) => void (await reported(context)))
  onDeviceLinkState(async ({ db, data, at }) => {
    if (data.now === 'online') await enqueueTagPush(db, at)
  })
}

/** Returns a rounded measurement, or null when it is impossible. */
const within = (value: unknown, least: number, most: number): number | null =>
  typeof value === 'number' && value >= least && value <= most ? Math.round(value) : null
/** Parses a battery voltage in millivolts. */
export const parseBatteryMillivolts = (value: unknown): number | null => within(value, 500, 10_000)
/** Parses a signal strength in dBm. */
export const parseSignalDbm = (value: unknown): number | null => within(value, -150, 20)

/** Records a report about a tag from its own gateway. */
const reported = ({ db, link, data, at }: DeviceMessageContext) =>
  recordTagReport(
    db,
    sql`tag_id = ${String(data.tagId)} and coalesce(gateway_id, shop_id) = ${link.id} and account_id is null`,
    { batteryMv: parseBatteryMillivolts(data.batteryMv), rssi: parseSignalDbm(data.rssi), at },
  )

type Report = { batteryMv: number | null; rssi: number | null; at: Date }

/**
 * Records that a tag was heard, with its battery and signal. A lost tag waits for an update again. Returns the tag, or
 * undefined for an unknown one.
 */
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
      next_time = case when was.status = ${PRICE_TAG_STATE.lost} then ${at.toISOString()}::timestamptz
        else t.next_time end
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
