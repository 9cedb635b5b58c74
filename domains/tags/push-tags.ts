import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { askCommand, gatewayOf } from '#domains/gateways/doors.ts'
import { TAG } from './dictionaries.ts'
import { priceTag } from './price-tag.resource.ts'
import { priceTagLog } from './price-tag-log.resource.ts'
import { BATCH_MAX, tagUpdate } from './tag-commands.ts'
import { contentOf, hashOf, tagPromotions, type TagContent, type TagGood } from './tag-content.ts'

type Due = TagGood & {
  id: string
  tagId: string
  shopId: string
  goodId: string
  template: string
  linkId: string
  shownHash: string | null
  shownPrice: number | null
  commandId: string | null
}
type Drawn = Due & { hash: string; content: TagContent }

const AT_ONCE = 500

/**
 * Gives tags what they should show: those that show it already are left alone, the others go in batches, one at a time
 * to each gateway that is there. A tag whose gateway is away waits for it. Answers how many were sent.
 */
export async function pushTags(db: Db, services: Services): Promise<number> {
  let sent = 0
  const due = await drawn(db, services, await dueTags(db, services.now()))
  // While an older picture is on its way, what the tag shows is about to change.
  const [same, other] = partition(due, (tag) => tag.hash === tag.shownHash && !tag.commandId)
  for (const tag of same) await isShownAlready(db, tag)
  for (const [linkId, tags] of Map.groupBy(other, (tag) => tag.linkId))
    sent += await sendBatch(db, services, linkId, tags.slice(0, BATCH_MAX))
  publishChanged({ db }, priceTag, due.slice(0, 100))
  return sent
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

const dueTags = (db: Db, now: Date) =>
  db.query<Due>(sql`
    select t.id, t.tag_id, t.shop_id, t.good_id, coalesce(t.template, 'standard') as template, l.id as link_id,
      t.shown_hash, t.shown_price, t.command_id, g.name, g.upc, g.spec, g.unit, g.sale_price, g.vip_price
    from price_tag t join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
    join device_link l on l.tenant_id = t.tenant_id and l.id = coalesce(t.gateway_id, t.shop_id)
    where t.tenant_id = ${db.tenantId} and t.is_deleted = 0 and t.status = ${TAG.waiting}
      and t.next_time <= ${now.toISOString()} and l.state <> 'offline'
      and not exists (select 1 from price_tag o where o.tenant_id = t.tenant_id and o.is_deleted = 0
        and o.status = ${TAG.sent} and coalesce(o.gateway_id, o.shop_id) = l.id)
    order by t.next_time, t.id limit ${AT_ONCE} for update of t skip locked`)

async function drawn(db: Db, services: Services, due: readonly Due[]): Promise<Drawn[]> {
  const promotionsOf = services.slots.find(tagPromotions)
  const all: Drawn[] = []
  for (const [shopId, tags] of Map.groupBy(due, (tag) => tag.shopId)) {
    const goodIds = [...new Set(tags.map((tag) => tag.goodId))]
    const promotions = await promotionsOf?.(db, shopId, goodIds, services.now())
    for (const tag of tags) {
      const content = contentOf(tag, promotions?.get(tag.goodId))
      all.push({ ...tag, content, hash: hashOf(tag.template, content) })
    }
  }
  return all
}

const isShownAlready = (db: Db, { id, hash, content }: Drawn) =>
  db.run(sql`update price_tag set status = ${TAG.synced}, wanted_hash = ${hash}, shown_price = ${content.priceFen},
      shown_content = ${JSON.stringify(content)}::jsonb, next_time = null, tries = 0, version = version + 1
    where tenant_id = ${db.tenantId} and id = ${id}`)

async function sendBatch(db: Db, services: Services, linkId: string, tags: readonly Drawn[]): Promise<number> {
  const link = await gatewayOf(db, linkId)
  const pictures = tags.map(({ tagId, hash, template, content }) => ({ tagId, hash, template, fields: content }))
  const command = await askCommand({ db, services }, tagUpdate, link!, { tags: pictures }, { source: 'system' })
  const now = services.now().toISOString()
  await db.run(sql`update price_tag t set status = ${TAG.sent}, wanted_hash = n.hash, command_id = ${command.id},
      sent_time = ${now}, next_time = null, version = t.version + 1
    from jsonb_to_recordset(${JSON.stringify(tags.map(({ id, hash }) => ({ id, hash })))}::jsonb)
      as n(id bigint, hash text)
    where t.tenant_id = ${db.tenantId} and t.id = n.id`)
  await db.insertAll(
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
      commandId: command.id,
      contentHash: tag.hash,
      content: tag.content,
    })),
  )
  return tags.length
}
