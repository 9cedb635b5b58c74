import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import {
  requestCommand,
  jsonByteLength,
  findGatewayOfShop,
  COMMAND_PARAMS_BYTES_MAX,
} from '#domains/devices/device-messaging/api.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { priceTag } from './price-tag.resource.ts'
import { priceTagLog } from './price-tag-log.resource.ts'
import { TAG_UPDATE_BATCH_MAX, tagUpdateCommand } from './tag-commands.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import {
  createTagContent,
  drawTagPicture,
  hashTagPicture,
  tagPromotionsSlot,
  type TagContent,
  type TagGood,
} from './tag-content.ts'
import { enqueueTagProviderPush } from './push-later.ts'
import { loadTagAppearanceResolver, type TagAppearance } from './tag-looks.ts'

type Due = TagGood & {
  id: string
  tagId: string
  shopId: string
  goodId: string
  template: string
  model: string | null
  layoutId: string | null
  /** The gateway that reaches the tag, null for a tag of a provider. */
  linkId: string | null
  /** The provider account that reaches the tag, null for a tag of a gateway. */
  accountId: string | null
  shownHash: string | null
  shownPrice: number | null
  commandId: string | null
}
type Drawn = Due & { hash: string; content: TagContent; look: TagAppearance }

const AT_ONCE = 500

/**
 * Sends waiting tags what they should show. Skips those that show it already; a gateway gets one batch at a time. Tags
 * whose gateway or provider is unavailable keep waiting. Returns how many were sent.
 */
export async function pushTags(db: Db, services: Services): Promise<number> {
  let sent = 0
  const found = [...(await dueTags(db, services.now())), ...(await dueAtAccounts(db, services.now()))]
  const due = await drawn(db, services, found)
  // While another picture is on its way, what the tag shows is about to change.
  const [same, other] = partition(due, (tag) => tag.hash === tag.shownHash && !tag.commandId)
  for (const tag of same) await isShownAlready(db, tag)
  for (const [linkId, tags] of Map.groupBy(other, (tag) => tag.linkId))
    if (linkId) sent += await sendBatch(db, services, linkId, batchOf(tags))
  for (const [accountId, tags] of Map.groupBy(other, (tag) => tag.accountId))
    if (accountId) sent += await giveToAccount(db, services, accountId, tags)
  publishRowsChanged({ db }, priceTag, due.slice(0, 100))
  return sent
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

const WANTED = sql`t.id, t.tag_id, t.shop_id, t.good_id, coalesce(t.template, 'standard') as template, t.model,
  t.layout_id, t.shown_hash, t.shown_price, t.command_id, g.name, g.upc, g.spec, g.unit, g.sale_price, g.vip_price`

const dueTags = (db: Db, now: Date) =>
  db.query<Due>(sql`
    select ${WANTED}, l.id as link_id, null as account_id
    from price_tag t join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
    join device_link l on l.tenant_id = t.tenant_id and l.id = coalesce(t.gateway_id, t.shop_id)
    where t.tenant_id = ${db.tenantId} and t.is_deleted = 0 and t.status = ${PRICE_TAG_STATE.waiting}
      and t.account_id is null
      and t.next_time <= ${now.toISOString()} and l.state <> 'offline'
      and not exists (select 1 from price_tag o where o.tenant_id = t.tenant_id and o.is_deleted = 0
        and o.account_id is null
        and o.status = ${PRICE_TAG_STATE.sent} and coalesce(o.gateway_id, o.shop_id) = l.id)
    order by t.next_time, t.id limit ${AT_ONCE} for update of t skip locked`)

/** Due tags whose provider is available, as far as is known. */
const dueAtAccounts = (db: Db, now: Date) =>
  db.query<Due>(sql`
    select ${WANTED}, null as link_id, a.id as account_id
    from price_tag t join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
    join tag_account a on a.tenant_id = t.tenant_id and a.id = t.account_id and a.is_deleted = 0 and a.enabled
    where t.tenant_id = ${db.tenantId} and t.is_deleted = 0 and t.status = ${PRICE_TAG_STATE.waiting}
      and t.next_time <= ${now.toISOString()} and a.state in ('unknown', 'well')
    order by t.next_time, t.id limit ${AT_ONCE} for update of t skip locked`)

async function drawn(db: Db, services: Services, due: readonly Due[]): Promise<Drawn[]> {
  if (!due.length) return []
  const promotionsOf = services.slots.find(tagPromotionsSlot)
  const lookOf = await loadTagAppearanceResolver(db)
  const all: Drawn[] = []
  for (const [shopId, tags] of Map.groupBy(due, (tag) => tag.shopId)) {
    const goodIds = [...new Set(tags.map((tag) => tag.goodId))]
    const promotions = await promotionsOf?.(db, shopId, goodIds, services.now())
    for (const tag of tags) {
      const [content, look] = [createTagContent(tag, promotions?.get(tag.goodId)), lookOf(tag)]
      all.push({ ...tag, content, look, hash: hashTagPicture(look, content) })
    }
  }
  return all
}

const pictureOf = ({ content, look }: Drawn) => ({ ...content, drawn: drawTagPicture(look, content) })

const isShownAlready = (db: Db, tag: Drawn) => {
  const { id, hash, content } = tag
  return db.run(sql`update price_tag set status = ${PRICE_TAG_STATE.synced}, wanted_hash = ${hash},
      shown_price = ${content.priceFen},
      shown_content = ${JSON.stringify(pictureOf(tag))}::jsonb, next_time = null, tries = 0, fail_reason = null,
      version = version + 1
    where tenant_id = ${db.tenantId} and id = ${id}`)
}

const pictureFor = ({ tagId, hash, look, content }: Drawn) => ({
  tagId,
  hash,
  template: look.template,
  fields: content,
  ...(look.layout ? { layout: look.layoutId } : {}),
})

/** Returns as many tags as one command may hold, by number and size. */
function batchOf(tags: readonly Drawn[]): Drawn[] {
  const includedLayouts = new Set<string>()
  let bytes = ENVELOPE_BYTES
  const fitting = tags.slice(0, TAG_UPDATE_BATCH_MAX).findIndex((tag) => {
    bytes += jsonByteLength(pictureFor(tag)) + 1
    const { layout, layoutId } = tag.look
    if (layout && !includedLayouts.has(layoutId!)) {
      includedLayouts.add(layoutId!)
      bytes += jsonByteLength({ [layoutId!]: layout }) + 1
    }
    return bytes > COMMAND_PARAMS_BYTES_MAX
  })
  return tags.slice(0, fitting === -1 ? TAG_UPDATE_BATCH_MAX : Math.max(1, fitting))
}

/** Bytes of the empty message `{"tags":[],"layouts":{}}`, rounded up. */
const ENVELOPE_BYTES = 32

async function sendBatch(db: Db, services: Services, linkId: string, tags: readonly Drawn[]): Promise<number> {
  const link = await findGatewayOfShop(db, linkId)
  const own = tags.flatMap(({ look }) => (look.layout ? [[look.layoutId, look.layout] as const] : []))
  const params = { tags: tags.map(pictureFor), ...(own.length ? { layouts: Object.fromEntries(own) } : {}) }
  const command = await requestCommand({ db, services }, tagUpdateCommand, link!, params, { source: 'system' })
  const now = services.now().toISOString()
  await db.run(sql`update price_tag t set status = ${PRICE_TAG_STATE.sent}, wanted_hash = n.hash,
    command_id = ${command.id},
      sent_time = ${now}, next_time = null, version = t.version + 1
    from jsonb_to_recordset(${JSON.stringify(tags.map(({ id, hash }) => ({ id, hash })))}::jsonb)
      as n(id bigint, hash text)
    where t.tenant_id = ${db.tenantId} and t.id = n.id`)
  await notePushed(db, tags, command.id)
  return tags.length
}

/**
 * Stores what the provider is to show before it is called, so that another process can continue after a crash. A
 * picture that was sent before keeps its mark, by which its arrival is recognised.
 */
async function giveToAccount(db: Db, services: Services, accountId: string, tags: readonly Drawn[]): Promise<number> {
  const commandId = `A${newId()}`
  const wanted = tags.map((tag) => ({ id: tag.id, hash: tag.hash, picture: pictureOf(tag) }))
  await db.run(sql`update price_tag t set status = ${PRICE_TAG_STATE.sent}, command_id = ${commandId}, next_time = null,
      carrier_mark = case when t.wanted_hash = n.hash and t.shown_hash is distinct from n.hash then t.carrier_mark end,
      wanted_hash = n.hash, wanted_content = n.picture, taken_time = null,
      sent_time = ${services.now().toISOString()}, version = t.version + 1
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as n(id bigint, hash text, picture jsonb)
    where t.tenant_id = ${db.tenantId} and t.id = n.id`)
  await notePushed(db, tags, commandId)
  await enqueueTagProviderPush(db, accountId)
  return tags.length
}

const notePushed = (db: Db, tags: readonly Drawn[], commandId: string) =>
  db.insertAll(
    priceTagLog,
    tags.map((tag) => ({
      action: 'push',
      tagId: tag.tagId,
      shopId: tag.shopId,
      goodId: tag.goodId,
      upc: tag.upc,
      oldPrice: tag.shownPrice,
      newPrice: tag.salePrice,
      template: tag.template,
      commandId,
      contentHash: tag.hash,
      content: pictureOf(tag),
    })),
  )
