import { goodInfo } from '#domains/catalogue/products/index.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { storageLog } from '#domains/catalogue/inventory/index.ts'
import { type Field } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { join, raw, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { SYNC_STATE } from './dictionaries.ts'
import { platformsOf } from './platform.ts'
import { stockFigureCall } from './stock-figure.calls.ts'

/** Days whose movements are listed; earlier ones are summed up. */
const DAYS = 30
const DAY_MS = 86_400_000

type Good = { tenantId: string; stock: number; unit: string | null; shopId: string; onSale: boolean | null }
type Moved = { type: string; source: string | null; pieces: number; times: number }
type OpenOrderPieces = { source: string; isPaid: boolean; pieces: number }
type Channel = {
  platform: string
  rowId: string
  kept: number
  stock: number | null
  stockThere: number | null
  isInStep: boolean
}

const goodOf = (
  call: Call,
  id: string,
): Sql => sql`select r.tenant_id, coalesce(r.stock, 0) as stock, r.unit, r.shop_id,
  r.on_sale ${visibleRowsSql(call.services.registry.served.get(goodInfo.name)!, call)} and r.id = ${id}`

/** SQL of the movements since `since`, by kind and sales channel. */
const movedSql = ({ tenantId }: Good, id: string, since: string): Sql => sql`
  select l.type, coalesce(o.source, b.source) as source, sum(l.change)::int as pieces, count(*)::int as times
  from storage_log l
  left join shopping_order o on l.ref_type = 'order' and o.tenant_id = l.tenant_id and o.id = l.ref_id
  left join refunds f on l.ref_type = 'refund' and f.tenant_id = l.tenant_id and f.id = l.ref_id
  left join shopping_order b on b.tenant_id = l.tenant_id and b.id = f.order_id
  where l.tenant_id = ${tenantId} and l.good_id = ${id} and l.create_time >= ${since}
  group by 1, 2 order by 3 desc, 1, 2`

/** SQL of pieces that are sold but still in the shop, and of pieces in unpaid orders, which are taken when paid. */
const reservedPiecesSql = ({ tenantId }: Good, id: string, since: string): Sql => sql`
  select o.source, o.status <> ${ORDER_STATE.toPay} as is_paid,
    sum(d.quantity - coalesce(d.refund_quantity, 0))::int as pieces
  from shopping_order_detail d join shopping_order o on o.tenant_id = d.tenant_id and o.id = d.order_id
  where d.tenant_id = ${tenantId} and d.good_id = ${id} and d.create_time >= ${since}
    and o.status = any(${[ORDER_STATE.toPay, ORDER_STATE.paid, ORDER_STATE.partlyRefunded]}::int[])
      and o.finish_time is null
  group by 1, 2 having sum(d.quantity - coalesce(d.refund_quantity, 0)) > 0 order by 2 desc, 3 desc, 1`

/**
 * SQL of how many pieces each platform sells: our stock less the shop's buffer, and what the platform confirmed last.
 */
const channelsSql = (call: Call, { tenantId }: Good, id: string): Sql | undefined => {
  const seen = platformsOf(call.services).filter(({ parity }) => hasPermission(call.caller, parity.goods.code))
  const parts = seen.map(
    ({ name, parity }) => sql`
    select ${name}::text as platform, s.id as row_id, coalesce(p.stock_buffer, 0) as kept, s.stock,
      ${parity.stock} as stock_there, s.sync_status = ${SYNC_STATE.done} and ${parity.stock} = s.stock as is_in_step
    from ${raw(`"${parity.goods.table}"`)} s
    join ${raw(`${name}_shop_info`)} p on p.tenant_id = s.tenant_id and p.id = s.${raw(`${name}_shop_id`)}
    left join platform_step t on t.tenant_id = s.tenant_id and t.row_id = s.id
    where s.tenant_id = ${tenantId} and s.good_id = ${id} and s.is_deleted = 0 and s.sync_status <> ${SYNC_STATE.not}`,
  )
  return parts.length ? join(parts, ' union all ') : undefined
}

/**
 * Explains a stock figure: the earlier stock, movements by channel, promised pieces, and what each platform may sell.
 */
async function figureOf(call: Call<{ goodId: string }>) {
  const { services, lang, input } = call
  const [[found]] = (await readBatch(services.pool, unitOfWorkOptionsForRead(call), [goodOf(call, input.goodId)])) as [
    Good[],
  ]
  if (!found) throw new Refused('not_found', { label: goodInfo.label })
  const since = formatShanghaiTime(new Date(services.now().getTime() - DAYS * DAY_MS))
  const channels = channelsSql(call, found, input.goodId)
  const [moved, reserved, sold] = (await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    movedSql(found, input.goodId, since),
    reservedPiecesSql(found, input.goodId, since),
    ...(channels ? [channels] : []),
  ])) as [Moved[], OpenOrderPieces[], Channel[] | undefined]
  await services.labels.ready(found.tenantId)
  const word = (field: Field, value: string | null) =>
    value === null ? '' : services.labels.dict(found.tenantId, field, value, lang)
  const { fields } = shoppingOrder
  const named = (some: readonly OpenOrderPieces[]) =>
    some.map(({ source, pieces }) => ({ source, pieces, sourceLabel: word(fields.source, source) }))
  return {
    stock: found.stock,
    unit: found.unit ?? '',
    since: since.slice(0, 10),
    before: found.stock - moved.reduce((sum, { pieces }) => sum + pieces, 0),
    moved: moved.map((one) => ({
      ...one,
      source: one.source ?? '',
      typeLabel: word(storageLog.fields.type, one.type),
      sourceLabel: word(fields.source, one.source),
    })),
    promised: named(reserved.filter(({ isPaid }) => isPaid)),
    wanted: named(reserved.filter(({ isPaid }) => !isPaid)),
    channels: (sold ?? []).map((one) => ({ ...one, stock: one.stock ?? 0, stockThere: one.stockThere ?? '' })),
  }
}

export const stockExplanationRoute = defineRoute(stockFigureCall, {
  title: { zh: '库存数字的由来', en: 'Explain stock figure' },
  can: storageLog.code,
  tx: false,
  handle: (call) => figureOf(call as Call<{ goodId: string }>),
})
