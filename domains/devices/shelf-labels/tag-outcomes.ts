import { fillLocalizedText } from '#kit/base/localized-text.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { raiseEvent, updateOpenEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { priceTag } from './price-tag.resource.ts'
import { enqueueTagPush } from './push-later.ts'
import { priceTagLog } from './price-tag-log.resource.ts'
import type { TagContent } from './tag-content.ts'

/** A tag, and the hash of the picture a report is about. */
export type TagReport = { id: string; tagId: string; hash: string | null }

const RETRY_MINUTES = [1, 5, 15]
const MESSAGE_MAX = 200

/** Returns the last update sent to a tag with this hash. */
const pushedAs = (db: Db, { tagId, hash }: TagReport) =>
  db.one<{ goodId: string; newPrice: number; content: TagContent; commandId: string; createTime: string }>(
    sql`select good_id, new_price, content, command_id, create_time from price_tag_log where tenant_id = ${db.tenantId}
      and tag_id = ${tagId} and action = 'push' and content_hash = ${hash} order by create_time desc, id desc limit 1`,
  )

/**
 * Records that a tag shows a picture. Reports may be repeated and out of order: older ones change nothing, and a tag
 * whose picture has changed since keeps waiting.
 */
export async function recordTagShown(db: Db, report: TagReport, at: Date): Promise<void> {
  const tag = await db.get(priceTag, report.id, 'forUpdate')
  if (!tag) return
  if (tag.lastSyncTime && parseShanghaiTime(tag.lastSyncTime).getTime() - SECOND_MS > at.getTime()) return
  const pushed = await pushedAs(db, report)
  if (!pushed) return

  const isNews = tag.shownHash !== report.hash
  const isWanted = tag.wantedHash === report.hash
  const isOfGoods = tag.goodId === pushed.goodId
  const completesUpdate =
    isWanted &&
    [PRICE_TAG_STATE.sent, PRICE_TAG_STATE.failed, PRICE_TAG_STATE.lost].some((state) => state === tag.status)
  // An older update arrived after the current one was reported as shown.
  const isOutdated = !isWanted && tag.status === PRICE_TAG_STATE.synced

  await db.run(sql`update price_tag set shown_hash = ${report.hash}, last_sync_time = ${at.toISOString()},
      shown_price = case when ${isOfGoods} then ${pushed.newPrice}::bigint end,
      shown_content = case when ${isOfGoods} then ${JSON.stringify(pushed.content)}::jsonb end,
      command_id = case when ${isWanted} then null else command_id end,
      status = case when ${completesUpdate} then ${PRICE_TAG_STATE.synced}::int
        when ${isOutdated} then ${PRICE_TAG_STATE.waiting}::int
        else status end,
      tries = case when ${completesUpdate} then 0 else tries end,
      fail_reason = case when ${isWanted} then null else fail_reason end,
      next_time = case when ${completesUpdate} then null when ${isOutdated} then ${at.toISOString()}::timestamptz
        else next_time end, update_time = now(), version = version + 1
    where tenant_id = ${db.tenantId} and id = ${tag.id}`)

  if (isOutdated) await enqueueTagPush(db, at)
  if (isNews)
    await db.insert(priceTagLog, {
      action: 'ack',
      tagId: tag.tagId,
      shopId: tag.shopId,
      goodId: pushed.goodId,
      upc: pushed.content.upc,
      oldPrice: tag.shownPrice,
      newPrice: pushed.newPrice,
      template: tag.template,
      commandId: pushed.commandId,
      contentHash: report.hash,
      result: 'ok',
      costMs: tag.sentTime ? Math.max(0, at.getTime() - parseShanghaiTime(tag.sentTime).getTime()) : null,
    })
  publishRowsChanged({ db }, priceTag, [{ id: tag.id, shopId: tag.shopId }])
}

const SECOND_MS = 1_000

/** Records that a tag did not take its picture. Tries again after 1, 5 and 15 minutes, then marks it as failed. */
export async function recordTagFailure(db: Db, report: TagReport, at: Date, message: string): Promise<void> {
  const tag = await db.get(priceTag, report.id, 'forUpdate')
  if (!tag?.commandId || tag.wantedHash !== report.hash) return
  const tries = (tag.tries ?? 0) + 1
  const minutes = RETRY_MINUTES[tries - 1]
  // A tag that was changed during the update keeps its new state and schedule.
  const isOld = tag.status !== PRICE_TAG_STATE.sent
  const next = minutes === undefined ? null : new Date(at.getTime() + minutes * 60_000).toISOString()
  await db.run(sql`update price_tag set command_id = null,
      tries = case when ${isOld} then tries else ${tries}::int end,
      status = case when ${isOld} then status when ${next === null} then ${PRICE_TAG_STATE.failed}::int
        else ${PRICE_TAG_STATE.waiting}::int end,
      next_time = case when ${isOld} then next_time else ${next}::timestamptz end,
      fail_reason = ${truncateText(ERROR_CODE_TEXTS[message] ?? message, MESSAGE_MAX)},
      update_time = now(), version = version + 1
    where tenant_id = ${db.tenantId} and id = ${tag.id}`)
  await db.insert(priceTagLog, {
    action: 'fail',
    tagId: tag.tagId,
    shopId: tag.shopId,
    goodId: tag.goodId,
    upc: tag.upc,
    oldPrice: tag.shownPrice,
    newPrice: tag.wantedPrice,
    template: tag.template,
    commandId: tag.commandId,
    contentHash: report.hash,
    result: 'failed',
    resultMessage: truncateText(message, MESSAGE_MAX),
  })
  publishRowsChanged({ db }, priceTag, [{ id: tag.id, shopId: tag.shopId }])
}

/** Sentences for the error codes of gateways. */
const ERROR_CODE_TEXTS: Readonly<Record<string, string>> = {
  timeout: defineSystemText({ zh: '超时没有应答', en: 'No response in time' }),
  'tag.failed': defineSystemText({ zh: '价签没有接收画面', en: 'The tag did not accept the image' }),
}

/** Records why a tag could not be handled, and tries again as after a failed update. */
export async function recordUnreadableTag(db: Db, report: TagReport, at: Date, reason: string): Promise<void> {
  await recordTagFailure(db, report, at, reason)
  await sayWhy(db, report, reason)
}

/** Clears a tag's error. */
export const clearTagFault = (db: Db, report: TagReport): Promise<void> => sayWhy(db, report, null)

async function sayWhy(db: Db, { id }: TagReport, reason: string | null): Promise<void> {
  const message = reason === null ? null : truncateText(reason, MESSAGE_MAX)
  const row = await db.one<{ id: string; shopId: string }>(sql`update price_tag set fail_reason = ${message},
      version = version + 1 where tenant_id = ${db.tenantId} and id = ${id} and fail_reason is distinct from ${message}
    returning id, shop_id`)
  if (row) publishRowsChanged({ db }, priceTag, [row])
}

const LISTED = 500

const lostWords = { zh: '{count} 个价签失联', en: '{count} ESL {count|tag is|tags are} unreachable' }

/** Raises or updates the shop's event about lost tags. Resolves it when none is lost any more. */
export async function updateLostTagsEvent(db: Db, shopId: string): Promise<void> {
  const lost = await db.query<{ id: string; name: string; since: string }>(
    sql`select id, tag_id as name, last_report_time as since from price_tag where tenant_id = ${db.tenantId}
      and shop_id = ${shopId} and is_deleted = 0 and status = ${PRICE_TAG_STATE.lost} order by last_report_time, id`,
  )
  const about = { shopId, type: 'tagsLost', subject: 'tags' } as const
  if (!lost.length) return void (await resolveEvents(db, about))
  const content = fillLocalizedText(lostWords, { count: lost.length })
  const devices = lost.slice(0, LISTED).map(({ id, name, since }) => ({ key: `priceTag/${id}`, name, since }))
  if (!(await updateOpenEvent(db, about, { ...content, devices }))) await raiseEvent(db, { ...about, content, devices })
}
