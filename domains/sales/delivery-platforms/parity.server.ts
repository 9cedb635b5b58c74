import { formatYuan } from '#kit/fields/money/cents.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { f, type Field, type Resource } from '#kit/resource/index.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, join, raw, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { containsTextSql, parsePageRequest } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead, pageEnvelope, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { SYNC_STATE } from './dictionaries.ts'
import { platformsOf, type Platform } from './platform.ts'

const PARITY = '/api/thirdparty/parity'
export const listingParityPermission = 'platformParity'

/** States of a product, most urgent first. */
const STATES = ['refused', 'waiting', 'incomplete', 'unlisted', 'inStep'] as const
type State = (typeof STATES)[number]
const IS_OFF: readonly State[] = ['refused', 'waiting', 'incomplete']
const DAY_MS = 86_400_000

const input = {
  platform: f.text({ label: { zh: '平台', en: 'Platform' }, max: 20 }),
  shopId: f.ref('basicShopInfo', { label: basicShopInfo.label }),
  state: f.text({ label: { zh: '状态', en: 'Status' }, pattern: `^(off|${STATES.join('|')})$` }),
  key: f.text({ label: { zh: '商品', en: 'Products' }, max: 50 }),
}
type ParityFilter = { platform?: string | null; shopId?: string | null; state?: string | null; key?: string | null }

const seenBy = (call: Call, platform?: string | null): Platform[] =>
  platformsOf(call.services).filter(
    ({ name, parity }) => hasPermission(call.caller, parity.goods.code) && (!platform || name === platform),
  )

/** Rows of a resource the caller may see, as a subquery named `alias`. */
const rowsOf = (call: Call, resource: Resource<any, any>, alias: string): Sql =>
  sql`(select r.* ${visibleRowsSql(call.services.registry.served.get(resource.name)!, call)}) ${raw(alias)}`

/** SQL of the products listed at a platform, with values of both sides. */
function listedSql(call: Call, platform: Platform): Sql {
  const { name, parity } = platform
  const { review } = parity
  return sql`select s.tenant_id, s.id as row_id, s.${raw(`${name}_shop_id`)} as there_id, ${name}::text as platform,
      s.shop_id, s.good_id, s.name, s.upc, s.picture, s.sync_status, s.sync_time, s.sync_error, t.problem_field,
      case when s.sync_status = ${SYNC_STATE.waiting} then t.next_time end as next_time,
        ${parity.isOnSale} as is_on_sale,
      ${parity.lacks} as lacks, ${review?.status ?? sql`null::int`} as review,
      ${review?.reason ?? sql`null::text`} as review_reason, ${review?.isRefused ?? sql`false`} as is_refused,
      s.sale_price as price, ${parity.price} as price_there, s.stock, ${parity.stock} as stock_there,
      g.stock as good_stock, coalesce(p.stock_buffer, 0) as kept, g.sale_price as good_price,
      coalesce(p.markup, 0) as markup
    from ${rowsOf(call, parity.goods, 's')}
    join ${raw(`${name}_shop_info`)} p on p.tenant_id = s.tenant_id and p.id = s.${raw(`${name}_shop_id`)}
      and p.is_deleted = 0
    left join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    left join platform_step t on t.tenant_id = s.tenant_id and t.row_id = s.id`
}

/** SQL of products not listed at a platform whose shop is there. */
const unlistedSql = (call: Call, { name, parity }: Platform): Sql => sql`
  select g.tenant_id, null::bigint, p.id, ${name}::text, g.shop_id, g.id, g.name, g.upc, g.picture,
    ${SYNC_STATE.not}::int,
    null::timestamptz, null::text, null::text, null::timestamptz, false, '{}'::text[], null::int, null::text, false,
    null::bigint, null::bigint, null::int, null::int, g.stock, coalesce(p.stock_buffer, 0), g.sale_price,
    coalesce(p.markup, 0)
  from ${rowsOf(call, goodInfo, 'g')}
  join ${raw(`${name}_shop_info`)} p on p.tenant_id = g.tenant_id and p.shop_id = g.shop_id and p.is_deleted = 0
    and p.platform_shop_id is not null
  where g.on_sale is not false and not exists (select 1 from ${raw(`"${parity.goods.table}"`)} s
    where s.tenant_id = g.tenant_id and s.good_id = g.id and s.${raw(`${name}_shop_id`)} = p.id and s.is_deleted = 0)`

/**
 * SQL of a row's state. The platform's last confirmed values count: a row marked in sync that differs is waiting. A
 * missing picture does not make it incomplete, since products sell without one.
 */
const STATE = sql`case when x.row_id is null or x.sync_status = ${SYNC_STATE.not} then 'unlisted'
  when x.sync_status = ${SYNC_STATE.failed} or x.is_refused then 'refused'
  when x.sync_status = ${SYNC_STATE.waiting} or x.price_there <> x.price or x.stock_there <> x.stock then 'waiting'
  when cardinality(array_remove(x.lacks, 'picture')) > 0 then 'incomplete' else 'inStep' end`

function boardSql(call: Call, { platform, shopId, key }: ParityFilter): Sql | undefined {
  const seesGoods = hasPermission(call.caller, goodInfo.code)
  const parts = seenBy(call, platform).flatMap((one) => [
    listedSql(call, one),
    ...(seesGoods ? [unlistedSql(call, one)] : []),
  ])
  if (!parts.length) return undefined
  return sql`select x.*, ${STATE} as state from (${join(parts, ' union all ')}) x where true
    ${shopId ? sql` and x.shop_id = ${shopId}` : empty}
    ${key ? sql` and (${containsTextSql(sql`x.name`, key)} or ${containsTextSql(sql`x.upc`, key)})` : empty}`
}

type BoardRow = {
  rowId: string | null
  thereId: string
  platform: string
  shopId: string
  shopName: string | null
  goodId: string
  name: string
  upc: string | null
  picture: string | null
  syncTime: string | null
  syncError: string | null
  problemField: string | null
  nextTime: string | null
  isOnSale: boolean
  lacks: string[]
  review: number | null
  reviewReason: string | null
  price: number | null
  priceThere: number | null
  stock: number | null
  stockThere: number | null
  goodStock: number | null
  goodPrice: number | null
  kept: number
  markup: number
  state: State
  tenantId: string
}

/** Replaces null and undefined by '' for the answer. */
const filled = (wire: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(wire).map(([key, value]) => [key, value ?? '']))

const money = (cents: number | null): string | null => (cents === null ? null : formatYuan(Number(cents)))

function present(call: Call, row: BoardRow): Record<string, unknown> {
  const { caller, services, lang } = call
  const { tenantId, ...wire } = row
  const { parity } = platformsOf(services).find(({ name }) => name === row.platform)!
  const label = (key: string) => {
    const field = parity.goods.fields[key] as Field | undefined
    return field ? field.label[lang] : key
  }
  const { review } = parity
  const word = review && row.review !== null ? (review.word.of.fields[review.word.key] as Field) : undefined
  const seen = visibleFields(parity.goods, caller)
  const hidden = seen && !seen.has('salePrice') ? { price: null, priceThere: null, goodPrice: null } : {}
  return filled({
    ...wire,
    family: parity.goods.name,
    price: money(row.price),
    priceThere: money(row.priceThere),
    goodPrice: money(row.goodPrice),
    ...hidden,
    syncError: row.syncError && translateSystemText(row.syncError, lang),
    lacks: row.lacks.map((key) => ({ key, label: label(key) })),
    problemLabel: row.problemField ? label(row.problemField) : null,
    reviewLabel: word ? services.labels.dict(tenantId, word, row.review, lang) : null,
  })
}

async function boardOf(call: Call<ParityFilter>) {
  const page = parsePageRequest(call.query)
  const { state } = call.input
  const board = boardSql(call, call.input)
  if (!board) return { ...pageEnvelope([], 0, page), sums: {} }
  const wanted = state === 'off' ? IS_OFF : state ? [state] : STATES
  const order = sql`array_position(${[...STATES]}::text[], b.state), b.shop_id, b.name, b.good_id, b.platform`
  const [sums, rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select b.state, count(*)::int as n from (${board}) b group by 1`,
    sql`select b.*, shop.shop_name from (${board}) b left join basic_shop_info shop on shop.tenant_id = b.tenant_id
      and shop.id = b.shop_id where b.state = any(${[...wanted]}::text[]) order by ${order}
      limit ${page.size} offset ${(page.current - 1) * page.size}`,
  ])
  await call.services.labels.ready(call.caller.tenantId)
  const counted = Object.fromEntries((sums as { state: State; n: number }[]).map(({ state: one, n }) => [one, n]))
  const total = wanted.reduce((sum, one) => sum + (counted[one as State] ?? 0), 0)
  return {
    ...pageEnvelope(
      (rows as BoardRow[]).map((row) => present(call, row)),
      total,
      page,
    ),
    sums: counted,
  }
}

type ShopRow = {
  tenantId: string
  id: string
  shopId: string
  shopName: string | null
  name: string
  review: number | null
  open: number | null
  opensThere: boolean | null
  isThere: boolean
  pausedTime: string | null
  pausedWhy: string | null
  pausedWhyEn: string | null
  syncStatus: number
  syncError: string | null
  until: string | null
}

/** The shops at the platforms with their status, why one is paused, and when its licences expire. */
async function shopsOf(call: Call<ParityFilter>) {
  const platforms = seenBy(call, call.input.platform).filter(({ shop }) => hasPermission(call.caller, shop.code))
  if (!platforms.length) return []
  const found = await readBatch(
    call.services.pool,
    unitOfWorkOptionsForRead(call),
    platforms.map(({ name, shop, parity }) => {
      const { shopReview, shopOpen } = parity
      const column = (key: string) => raw(`p."${toSqlName(key)}"`)
      return sql`select p.tenant_id, p.id, p.shop_id, b.shop_name, p.name, ${column(shopReview)} as review,
          ${column(shopOpen.key)} as open, p.opens_there, p.platform_shop_id is not null as is_there, p.paused_time,
          p.paused_why, p.paused_why_en, p.sync_status, p.sync_error,
          (select to_char(least(case when a.is_long_term then null else a.valid_date end, a.food_valid_date),
            'YYYY-MM-DD') from ${raw(`${name}_aptitude`)} a where a.tenant_id = p.tenant_id
            and a.${raw(`${name}_shop_id`)} = p.id and a.is_deleted = 0 limit 1) as until
        from ${rowsOf(call, shop, 'p')}
        left join basic_shop_info b on b.tenant_id = p.tenant_id and b.id = p.shop_id
        where true ${call.input.shopId ? sql` and p.shop_id = ${call.input.shopId}` : empty}
        order by p.shop_id limit 500`
    }),
  )
  await call.services.labels.ready(call.caller.tenantId)
  return platforms.flatMap((platform, at) => (found[at] as ShopRow[]).map((row) => shopOnBoard(call, platform, row)))
}

function shopOnBoard({ services, lang }: Call, { name, shop, parity }: Platform, row: ShopRow) {
  const { tenantId, review, open, pausedWhy, pausedWhyEn, until, ...wire } = row
  const word = (key: string, value: number | null) =>
    value === null ? null : services.labels.dict(tenantId, shop.fields[key] as Field, value, lang)
  const today = Date.parse(formatShanghaiTime(services.now()).slice(0, 10))
  return filled({
    ...wire,
    platform: name,
    family: shop.name,
    syncError: row.syncError && translateSystemText(row.syncError, lang),
    papers: parity.papers.name,
    isOpen: open === parity.shopOpen.value,
    openLabel: word(parity.shopOpen.key, open),
    reviewLabel: word(parity.shopReview, review),
    pausedWhy: lang === 'en' ? (pausedWhyEn ?? pausedWhy) : pausedWhy,
    until,
    daysLeft: until ? Math.round((Date.parse(until) - today) / DAY_MS) : null,
  })
}

export const parityRoutes = [
  defineRoute({
    method: 'GET',
    path: `${PARITY}/list`,
    title: { zh: '外卖商品核对', en: 'List listing parity' },
    can: listingParityPermission,
    tx: false,
    input,
    handle: (call) => boardOf(call as Call<ParityFilter>),
  }),
  defineRoute({
    method: 'GET',
    path: `${PARITY}/shops`,
    title: { zh: '平台门店对照', en: 'List platform stores' },
    can: listingParityPermission,
    tx: false,
    input: { platform: input.platform, shopId: input.shopId },
    handle: (call) => shopsOf(call as Call<ParityFilter>),
  }),
]
