import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { unitOfWorkOptionsForRead, handleListCall } from '#kit/server/resource/list-of.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call, type ResourceHooks } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { lockVisibleRow, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { f, type PatchOf, type Field, type RowOf } from '#kit/resource/index.ts'
import type { DataScope } from '#kit/server/base/caller.ts'
import { dataScopeSql, parseScopeFields } from '#kit/server/database/data-scope.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { enqueueTagPush } from './push-later.ts'
import { flashTag } from './tag-commands.ts'
import { priceTagLog } from './price-tag-log.resource.ts'
import { priceTag } from './price-tag.resource.ts'
import { DEFAULT_TAG_SIZE } from './tag-templates.ts'

type Tag = RowOf<typeof priceTag>
type TagProduct = { id: string; shopId: string; upc: string; salePrice: number | null }

/** Returns the goods a tag is to show, locked so that their price cannot change until the tag is stored. */
const holdGoods = (db: Db, where: ReturnType<typeof sql>): Promise<TagProduct | undefined> =>
  db.one<TagProduct>(
    sql`select id, shop_id, upc, sale_price from good_info g where tenant_id = ${db.tenantId}
      and is_deleted = 0 and ${where} for share`,
  )

/** Columns of a tag that waits to be updated as soon as possible, without collecting changes first. */
const asWaiting = (now: Date) => ({
  wantedTime: formatShanghaiTime(now),
  nextTime: formatShanghaiTime(now),
  tries: 0,
  status: PRICE_TAG_STATE.waiting,
})

const showing = (good: TagProduct, now: Date) => ({
  goodId: good.id,
  upc: good.upc,
  wantedPrice: good.salePrice,
  ...asWaiting(now),
})

/** Columns of an unbound tag. An update on its way is not cancelled: until it ends, nobody knows what the tag shows. */
const UNBOUND = {
  goodId: null,
  upc: null,
  wantedPrice: null,
  wantedTime: null,
  nextTime: null,
  failReason: null,
  status: PRICE_TAG_STATE.unbound,
}

const recordBinding = (
  db: Db,
  action: 'bind' | 'unbind',
  tag: Tag,
  good: { goodId: string | null; upc: string | null },
  newPrice: number | null,
) =>
  db.insert(priceTagLog, {
    action,
    tagId: tag.tagId,
    shopId: tag.shopId,
    goodId: good.goodId,
    upc: good.upc,
    oldPrice: tag.shownPrice,
    newPrice,
    template: tag.template,
    operator: db.userId === '0' ? null : db.userId,
  })

/** Binds a locked tag to goods, logs that, and queues the update. */
async function bind(call: Call, tag: Tag, good: TagProduct, patch: PatchOf<typeof priceTag> = {}): Promise<Tag> {
  if (good.shopId !== tag.shopId) throw new Refused('good_of_other_shop')
  if (tag.goodId && tag.goodId !== good.id) await recordBinding(call.db, 'unbind', tag, tag, null)
  if (tag.goodId !== good.id)
    await recordBinding(call.db, 'bind', tag, { goodId: good.id, upc: good.upc }, good.salePrice)
  const now = call.services.now()
  const row = await call.db.update(priceTag, tag.id, {
    ...patch,
    ...showing(good, now),
    // The price and picture of other goods do not count for these.
    ...(tag.goodId === good.id ? {} : { shownPrice: null, shownContent: null, failReason: null }),
  })
  await enqueueTagPush(call.db, now)
  publishRowsChanged(call, priceTag, [row])
  return row
}

const LOOKS = ['template', 'model', 'layoutId', 'accountId', 'gatewayId'] as const

/** Returns the shop's enabled provider account for a new tag, null when a gateway is given. */
async function accountOfNew(db: Db, { shopId, gatewayId }: PatchOf<typeof priceTag>): Promise<string | null> {
  if (gatewayId) return null
  const found = await db.one<{ id: string }>(
    sql`select id from tag_account where tenant_id = ${db.tenantId} and shop_id = ${shopId} and enabled
      and is_deleted = 0 order by id limit 1`,
  )
  return found?.id ?? null
}

export const priceTagServer = serve(priceTag, {
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'failReason', lang),
  beforeSave: async (draft, was, call) => {
    if (was) {
      // A change of template or size has to be shown, so the tag waits for an update.
      const isOther = LOOKS.some((key) => draft[key] !== undefined && draft[key] !== was[key])
      if (isOther && was.status !== PRICE_TAG_STATE.unbound) Object.assign(draft, asWaiting(call.services.now()))
      return
    }
    draft.status = PRICE_TAG_STATE.unbound
    draft.accountId ??= await accountOfNew(call.db, draft)
    if (!draft.goodId) return
    const good = (await holdGoods(call.db, sql`g.id = ${draft.goodId}`))!
    if (good.shopId !== draft.shopId) throw new Refused('good_of_other_shop')
    Object.assign(draft, showing(good, call.services.now()))
  },
  afterSave: async (row, was, call) => {
    if (!was && row.goodId) await recordBinding(call.db, 'bind', row, row, row.wantedPrice)
    if (row.status === PRICE_TAG_STATE.waiting) await enqueueTagPush(call.db, call.services.now())
  },
  // While the tag was in the recycle bin, its goods may have changed or been removed.
  afterRestore: async (row, call) => {
    if (row.status === PRICE_TAG_STATE.unbound) return
    const good = row.goodId && (await holdGoods(call.db, sql`g.id = ${row.goodId}`))
    await call.db.update(priceTag, row.id, good ? showing(good, call.services.now()) : UNBOUND)
    if (good) await enqueueTagPush(call.db, call.services.now())
  },
  actions: {
    unbind: async (row, _input, call) => {
      await recordBinding(call.db, 'unbind', row, row, null)
      const next = await call.db.update(priceTag, row.id, UNBOUND)
      publishRowsChanged(call, priceTag, [next])
      return { id: row.id, status: next.status }
    },
  },
})

/** List of goods that have tags, with the tags of each. Filters and pages like goods, and filters by tag state. */
const taggedGoods: ResourceHooks<typeof goodInfo> = {
  where: ({ query }) => {
    const states = (query.tagStatus ?? '')
      .split(',')
      .filter((one) => /^[0-5]$/.test(one))
      .map(Number)
    const inState = states.length ? sql` and t.status = any(${states}::int[])` : sql``
    return sql` and exists (select 1 from price_tag t where t.tenant_id = r.tenant_id and t.good_id = r.id
      and t.is_deleted = 0${inState})`
  },
  present: async (wire, _rows, call) => {
    if (!wire.length) return
    const ids = wire.map((row) => String(row.id))
    const [tags] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select id, good_id, tag_id, status, coalesce(template, '') as template, coalesce(to_char(wanted_price / 100.0,
        'FM999999990.00'), '') as wanted_price, coalesce(to_char(shown_price / 100.0, 'FM999999990.00'),
        '') as shown_price,
          coalesce(battery, -1) as battery, coalesce(signal::text, '') as signal, coalesce(to_char(last_sync_time,
          'YYYY-MM-DD HH24:MI:SS'), '') as last_sync_time
          from price_tag r where good_id = any(${ids}::bigint[]) and is_deleted = 0 order by tag_id`,
    ])
    for (const row of wire) {
      const own = tags!.filter((tag) => tag.goodId === String(row.id))
      row.tags = own.map((tag) => ({
        ...tag,
        statusName: call.services.labels.dict(
          call.caller.tenantId,
          priceTag.fields.status as Field,
          tag.status,
          call.lang,
        ),
      }))
    }
  },
}
const goodsWithTags = {
  resource: { ...goodInfo, list: { ...goodInfo.list, sort: 'shelfNo' } },
  hooks: taggedGoods,
  actions: {},
}

/** Fields of goods for people who work on tags without permission to list goods. */
const PRODUCT_FIELDS_FOR_TAGS = [
  'id',
  'name',
  'shopId',
  'upc',
  'goodTypeId',
  'picture',
  'spec',
  'brand',
  'unit',
  'salePrice',
  'vipPrice',
  'stock',
  'shelfNo',
  'onSale',
  'sort',
  'createTime',
] as const

/** Returns the call with access to goods reduced to the fields above, when its caller may not list goods. */
async function withGoodsOfTags(call: Call): Promise<Call> {
  const { caller, services } = call
  if (caller.isAdmin || (await hasListPermission(call, services.registry.served.get(goodInfo.name)!))) return call
  const isOfGoods = ({ resourceCode }: DataScope) => resourceCode === goodInfo.code || resourceCode === goodInfo.name
  const bound = caller.dataScopes.filter(isOfGoods)
  const narrowed = (bound.length ? bound : [EVERY_ROW]).map((scope) => {
    const seen = parseScopeFields(goodInfo, scope.fields)
    const fields = PRODUCT_FIELDS_FOR_TAGS.filter((key) => key === 'id' || seen === undefined || seen?.has(key)).join()
    return { ...scope, fields }
  })
  const dataScopes = [...caller.dataScopes.filter((scope) => !isOfGoods(scope)), ...narrowed]
  return { ...call, caller: { ...caller, dataScopes } }
}

const EVERY_ROW: DataScope = { resourceCode: goodInfo.code, type: 1, column: null, value: null }

const tagInput = {
  tagId: f.text({ label: priceTag.fields.tagId.label, required: true, max: 32 }),
  upc: f.text({ label: priceTag.fields.upc.label, required: true, max: 13 }),
  shopId: f.ref('basicShopInfo', { label: priceTag.fields.shopId.label }),
}

const visibleGoods = (call: Call) =>
  sql`exists (select 1 from good_info r where r.tenant_id = g.tenant_id and r.id = g.id
    ${dataScopeSql(goodInfo, call.caller)})`

/** Returns goods of a barcode in the caller's scope. Refuses when several shops have it and none is given. */
async function goodsOf(call: Call, upc: string, shopId: string | null): Promise<TagProduct> {
  const found = await call.db.query<TagProduct>(
    sql`select id, shop_id, upc, sale_price from good_info g where tenant_id = ${call.db.tenantId}
      and ${hasBarcodeSql(sql`upc`, upc)} and is_deleted = 0
      and ${visibleGoods(call)}${shopId ? sql` and shop_id = ${shopId}` : sql``} order by id limit 2`,
  )
  if (found.length > 1) throw invalidFieldRefusal(priceTag, 'shopId', 'required')
  if (!found[0]) throw invalidFieldRefusal(priceTag, 'upc', 'not_found')
  return (await holdGoods(call.db, sql`g.id = ${found[0].id}`)) ?? found[0]
}

const tagIdOf = (db: Db, tagId: string) =>
  db.one<{ id: string; shopId: string }>(
    sql`select id, shop_id from price_tag where tenant_id = ${db.tenantId} and tag_id = ${tagId} and is_deleted = 0`,
  )

/** Binds goods by barcode to an existing or new tag. Goods are locked before tags. */
async function updateUpcTag(
  call: Call<{ tagId: string; upc: string; shopId: string | null }>,
): Promise<Record<string, unknown>> {
  const tagId = call.input.tagId
  const existing = await tagIdOf(call.db, tagId)
  const good = await goodsOf(call, call.input.upc, existing?.shopId ?? call.input.shopId)
  if (existing && call.input.shopId && call.input.shopId !== existing.shopId)
    throw new Refused('tag_of_other_shop', { tagId })
  const tag = existing
    ? ((await lockVisibleRow(priceTagServer, call, existing.id)) as Tag)
    : await call.db.insert(priceTag, {
        tagId,
        shopId: good.shopId,
        accountId: await accountOfNew(call.db, { shopId: good.shopId }),
        template: 'standard',
        model: DEFAULT_TAG_SIZE,
        status: PRICE_TAG_STATE.unbound,
      })
  const row = await bind(call, tag, good)
  return { id: row.id, tagId, upc: row.upc, status: row.status }
}

/** Changes a tag and queues its update, even when nothing differs. */
async function update(call: Call): Promise<Record<string, unknown>> {
  const body = (call.body ?? {}) as Record<string, unknown>
  if (typeof body !== 'object' || Array.isArray(body)) throw new Refused('bad_body')
  const input = parseInput(
    {
      id: f.ref('priceTag', { label: priceTag.label, required: true }),
      upc: priceTag.fields.upc,
      goodId: f.ref('goodInfo', { label: goodInfo.label }),
      template: f.dict('price_tag_template', { label: priceTag.fields.template.label }),
      remark: priceTag.fields.remark,
    },
    body,
  ) as { id: string; upc: string | null; goodId: string | null; template: string | null; remark: string | null }
  let answer: Record<string, unknown> = {}
  await forEachTenantOfRows(call, priceTag, [input.id], async ([id], db) => {
    const inside = { ...call, db }
    const seen = await db.one<{ goodId: string | null; shopId: string }>(
      sql`select good_id, shop_id from price_tag r where id = ${id} and tenant_id = ${db.tenantId}
        and is_deleted = 0${dataScopeSql(priceTag, call.caller)}`,
    )
    if (!seen) throw new Refused('not_found', { label: priceTag.label })
    const goodId = input.goodId ?? (input.upc ? (await goodsOf(inside, input.upc, seen.shopId)).id : seen.goodId)
    if (!goodId) throw new Refused('tag_unbound')
    if (input.template) await call.services.labels.ready(db.tenantId)
    if (input.template && !call.services.labels.hasKey(db.tenantId, priceTag.fields.template, input.template))
      throw invalidFieldRefusal(priceTag, 'template', 'not_a_choice')
    const good = await holdGoods(db, sql`g.id = ${goodId}`)
    if (!good) throw invalidFieldRefusal(priceTag, 'goodId', 'not_found')
    const tag = (await lockVisibleRow(priceTagServer, inside, id!)) as Tag
    const row = await bind(inside, tag, good, {
      shownHash: null,
      ...(input.template ? { template: input.template } : {}),
      ...(input.remark === null ? {} : { remark: input.remark }),
    })
    answer = { id: row.id, status: row.status }
  })
  return answer
}

export const priceTagRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shop/priceTag/list2',
    title: { zh: '按商品查看价签', en: 'List ESL tags by product' },
    can: 'priceTag',
    tx: false,
    handle: async (call) => handleListCall(goodsWithTags, await withGoodsOfTags(call)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/priceTag/getTagIdByUpc',
    title: { zh: '按条码查价签', en: 'Find ESL tags by barcode' },
    can: 'priceTag',
    input: { upc: tagInput.upc, shopId: tagInput.shopId },
    handle: async (call) => {
      const tags = await call.db.query<{ tagId: string; shopId: string; status: number }>(
        sql`select tag_id, shop_id, status from price_tag r where tenant_id = ${call.db.tenantId}
          and ${hasBarcodeSql(sql`upc`, call.input.upc)} and is_deleted = 0${dataScopeSql(priceTag, call.caller)}
          ${call.input.shopId ? sql` and shop_id = ${call.input.shopId}` : sql``} order by tag_id limit 1000`,
      )
      // Older clients expect one tag as a text.
      return tags.length === 1 ? tags[0]!.tagId : tags
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/priceTag/updateUpcTag',
    title: { zh: '绑定价签', en: 'Link ESL tag' },
    can: 'priceTag_edit',
    input: tagInput,
    handle: updateUpcTag,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/priceTag/update',
    title: { zh: '修改并重新显示', en: 'Edit and refresh' },
    can: 'priceTag_edit',
    documentedInput: {
      id: f.ref('priceTag', { label: priceTag.label, required: true }),
      upc: priceTag.fields.upc,
      template: priceTag.fields.template,
      remark: priceTag.fields.remark,
    },
    handle: update,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/priceTag/flash',
    title: { zh: '闪灯寻找', en: 'Flash LED' },
    can: 'priceTag_flash',
    tx: false,
    input: { id: f.ref('priceTag', { label: priceTag.label, required: true }) },
    handle: (call) => flashTag(call, call.input.id),
  }),
]
