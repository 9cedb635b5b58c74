import { hasBarcodeSql, pieceCostSql } from '#domains/catalogue/products/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { empty, raw, readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { escapeLike, containsTextSql } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { invalidFieldRefusal, defineRoute, serve } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { lockVisibleRow, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { f, type RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { costOf, goodInfo } from '#domains/catalogue/products/index.ts'
import { STOCKTAKE_STATE } from './dictionaries.ts'
import { mergeCounts, type CountEntry } from './merge-counts.ts'
import { newDocumentNo } from './returns.server.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { lockGoods, moveStock } from './stock.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { stocktake } from './stocktake.resource.ts'

type Stocktake = RowOf<typeof stocktake>
type StocktakeLine = RowOf<typeof stocktakeLine>

/** Log of all counts as received: who, when, how many, and the stock at that moment. */
export const stocktakeCountTable = defineTable({
  name: 'stocktake_count',
  tenancy: 'tenant',
  appendOnly: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    stocktake_id: 'bigint not null',
    good_id: 'bigint not null',
    user_id: 'bigint not null',
    mode: "text not null check (mode in ('set', 'add'))",
    quantity: 'integer not null',
    book: 'integer not null',
    seq: 'integer not null',
    request_key: 'text',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    stocktake_count_by_good: '(tenant_id, stocktake_id, good_id, id)',
    stocktake_count_uq_request: '(tenant_id, stocktake_id, request_key) where request_key is not null',
  },
})

/** SQL condition for the goods (alias `g`) a stocktake covers: all, a type with its subtypes, or a shelf. */
const covered = (db: Db, take: Pick<Stocktake, 'scope' | 'goodTypeId' | 'shelfNo'>): Sql =>
  take.scope === 'type'
    ? sql` and g.good_type_id in (with recursive down as (select id from good_type where id = ${take.goodTypeId}
      and tenant_id = ${db.tenantId}
        union select t.id from good_type t join down on t.parent_id = down.id where t.tenant_id = ${db.tenantId}
        and t.is_deleted = 0) select id from down)`
    : take.scope === 'shelf'
      ? sql` and g.shelf_no like ${`${escapeLike(take.shelfNo ?? '')}%`}`
      : empty

/**
 * Adds lines with the present stock for all goods the stocktake covers, or for the product `only`. Products created
 * later are added when they are counted. Returns the number of lines.
 */
export async function addStocktakeLines(db: Db, take: Stocktake, only?: string): Promise<number> {
  const goods = await db.query<{ id: string }>(
    sql`select id from good_info g where tenant_id = ${db.tenantId} and shop_id = ${take.shopId}
      and is_deleted = 0${covered(db, take)}${only ? sql` and g.id = ${only}` : empty} order by id`,
  )
  await db.run(sql`insert into stocktake_line (id, tenant_id, stocktake_id, shop_id, good_id, upc, shelf_no, opening,
    expected, cost_price, is_moved, create_user, update_user)
    select d.id, ${db.tenantId}, ${take.id}, g.shop_id, g.id, g.upc, g.shelf_no, coalesce(g.stock, 0), coalesce(g.stock,
    0), ${pieceCostSql(sql`g`)}, false, ${db.userId}, ${db.userId}
    from unnest(${goods.map(() => newId())}::bigint[], ${goods.map((good) => good.id)}::bigint[]) d(id, good_id)
    join good_info g on g.id = d.good_id and g.tenant_id = ${db.tenantId}`)
  return goods.length
}

type Count = { goodId: string; quantity: number; mode: 'set' | 'add'; requestKey?: string | null }

/**
 * Records a count in a locked stocktake and merges it with those of others. A request key counts once and is refused
 * for a different count. Refuses products the stocktake does not cover.
 */
export async function recordStocktakeCount(db: Db, take: Stocktake, count: Count, now: Date): Promise<StocktakeLine> {
  const { goodId, quantity, mode } = count
  const lineOf = () => db.find(stocktakeLine, sql`r.stocktake_id = ${take.id} and r.good_id = ${goodId}`)
  let [line] = await lineOf()
  if (!line) {
    if (!(await addStocktakeLines(db, take, goodId))) throw new Refused('stocktake_other_goods')
    line = (await lineOf())[0]!
    await db.run(
      sql`update stocktake set goods = coalesce(goods, 0) + 1 where id = ${take.id} and tenant_id = ${db.tenantId}`,
    )
  }

  const isNew =
    await db.run(sql`insert into stocktake_count (id, tenant_id, stocktake_id, good_id, user_id, mode, quantity, book,
      seq, request_key)
    select ${newId()}, tenant_id, ${take.id}, id, ${db.userId}, ${mode}, ${quantity}, coalesce(stock, 0),
    coalesce(stock_seq, 0), ${count.requestKey ?? null} from good_info
    where id = ${goodId} and tenant_id = ${db.tenantId} on conflict do nothing`)
  if (!isNew) {
    const isSame = await db.one(
      sql`select 1 from stocktake_count where tenant_id = ${db.tenantId} and stocktake_id = ${take.id}
        and request_key = ${count.requestKey} and good_id = ${goodId} and mode = ${mode} and quantity = ${quantity}`,
    )
    if (!isSame) throw new Refused('count_key_reused')
    return line
  }

  const entries = await db.query<CountEntry>(
    sql`select user_id, mode, quantity, book, seq from stocktake_count where tenant_id = ${db.tenantId}
      and stocktake_id = ${take.id} and good_id = ${goodId} order by id`,
  )
  const merged = mergeCounts(entries, take.rule === 'last' ? 'last' : 'add')!
  if (merged.counted < 0)
    throw invalidFieldRefusal(
      { fields: { quantity: stocktake.actions.count.input.quantity } },
      'quantity',
      'too_small',
      {
        min: 0,
      },
    )

  const difference = merged.counted - merged.expected
  const row = await db.update(stocktakeLine, line.id, {
    ...merged,
    difference,
    amount: costOf(difference, line.costPrice),
    countTime: formatShanghaiTime(now),
  })
  await refresh(db, take.id)
  return row
}

/** Updates the totals of a stocktake from its lines. */
const refresh = (db: Db, id: string) =>
  db.run(sql`update stocktake s set counted = x.counted, differences = x.differences, surplus_amount = x.surplus,
    short_amount = x.short, update_time = now()
    from (select count(*) filter (where counted is not null)::int as counted, count(*)
    filter (where difference <> 0)::int as differences,
      coalesce(sum(amount) filter (where amount > 0), 0)::bigint as surplus, coalesce(-sum(amount)
      filter (where amount < 0), 0)::bigint as short
      from stocktake_line where tenant_id = ${db.tenantId} and stocktake_id = ${id}) x where s.id = ${id}
      and s.tenant_id = ${db.tenantId}`)

type Posting = { lineId: string; goodId: string; change: number; costPrice: number | null }

/**
 * Computes the stock changes of posting. A count is compared with the stock at its own moment, so later sales and
 * receipts remain; later corrections and counts of the same product are deducted, so that nothing is corrected twice.
 * Skips removed products. With `isZeroed`, uncounted products go to 0.
 */
async function postingOf(db: Db, take: Pick<Stocktake, 'id'>, isZeroed: boolean): Promise<Posting[]> {
  return db.query<Posting>(sql`select * from (
      select l.id as line_id, l.good_id, l.cost_price,
        (case when l.counted is not null then l.difference - coalesce((select sum(g.change) from storage_log g
        where g.tenant_id = l.tenant_id and g.good_id = l.good_id and g.seq > l.base_seq
        and g.type in ('stocktake', 'correct')), 0)
          else -coalesce((select i.stock from good_info i where i.id = l.good_id and i.tenant_id = l.tenant_id), 0)
          end)::int as change
      from stocktake_line l where l.tenant_id = ${db.tenantId} and l.stocktake_id = ${take.id}
      and (l.counted is not null or ${isZeroed})
        and not exists (select 1 from good_info i where i.id = l.good_id and i.tenant_id = l.tenant_id
        and i.is_deleted = 1)
    ) p where change <> 0 order by good_id`)
}

/** Posts a locked stocktake: all its differences in one transaction. */
export async function postStocktake(db: Db, take: Stocktake, isZeroed: boolean, now: Date): Promise<Stocktake> {
  // Locks all its goods first, so that nothing moves between reading a difference and posting it.
  const goods = await db.query<{ goodId: string }>(
    sql`select l.good_id from stocktake_line l where tenant_id = ${db.tenantId} and stocktake_id = ${take.id}
      and (counted is not null or ${isZeroed})`,
  )
  if (!goods.length) throw new Refused('stocktake_empty')
  await lockGoods(
    db,
    goods.map((one) => one.goodId),
  )
  const postings = await postingOf(db, take, isZeroed)
  await moveStock(
    db,
    postings.map(({ goodId, change }) => ({ goodId, change })),
    {
      type: 'stocktake',
      refType: 'stocktake',
      refId: take.id,
      remark: take.countNo,
    },
  )
  await db.run(sql`update stocktake_line l set posted = coalesce(d.change, 0), update_time = now()
    from stocktake_line x left join unnest(${postings.map((one) => one.lineId)}::bigint[],
    ${postings.map((one) => one.change)}::int[]) d(id, change) on d.id = x.id
    where l.id = x.id and l.tenant_id = ${db.tenantId} and x.tenant_id = ${db.tenantId}
    and x.stocktake_id = ${take.id}`)
  const { differences, surplusAmount, shortAmount } = totalsOf(postings)
  return requireTransition({ db }, stocktake, take.id, 'post', {
    differences,
    surplusAmount,
    shortAmount,
    postTime: formatShanghaiTime(now),
    postUser: db.userId === '0' ? null : db.userId,
  })
}

/** Totals of the differences: number, pieces and cents of surplus and of shortage. */
function totalsOf(postings: readonly Pick<Posting, 'change' | 'costPrice'>[]) {
  const sum = (list: typeof postings, value: (one: Pick<Posting, 'change' | 'costPrice'>) => number) =>
    list.reduce((all, one) => all + value(one), 0)
  const [more, less] = [postings.filter((one) => one.change > 0), postings.filter((one) => one.change < 0)]
  return {
    differences: postings.length,
    surplus: sum(more, (one) => one.change),
    short: sum(less, (one) => -one.change),
    surplusAmount: sum(more, (one) => costOf(one.change, one.costPrice) ?? 0),
    shortAmount: sum(less, (one) => costOf(-one.change, one.costPrice) ?? 0),
  }
}

export const stocktakeServer = serve(stocktake, {
  beforeSave: async (draft, was, call) => {
    if (was) return
    if (draft.scope !== 'type') draft.goodTypeId = null
    if (draft.scope !== 'shelf') draft.shelfNo = null
    await call.db.advisoryLock(`stocktake/${draft.shopId}`)
    const open = await call.db.one<{ countNo: string }>(
      sql`select count_no from stocktake where tenant_id = ${call.db.tenantId} and shop_id = ${draft.shopId}
        and status = ${STOCKTAKE_STATE.counting} limit 1`,
    )
    if (open) throw new Refused('stocktake_open', { countNo: open.countNo })
    draft.status = STOCKTAKE_STATE.counting
    draft.countNo = newDocumentNo('PD', call.services.now())
  },
  afterSave: async (row, was, call) => {
    if (was) return
    const goods = await addStocktakeLines(call.db, row)
    if (!goods) throw new Refused('stocktake_nothing')
    Object.assign(row, await call.db.update(stocktake, row.id, { goods }))
  },
  actions: {
    count: async (row, input, call) => {
      const good = await call.db.one<{ id: string; name: string }>(
        sql`select id, name from good_info where tenant_id = ${call.db.tenantId} and shop_id = ${row.shopId}
          and is_deleted = 0 and ${input.goodId ? sql`id = ${input.goodId}` : hasBarcodeSql(sql`upc`, input.upc ?? '')}
          order by upc = ${input.upc ?? ''} desc limit 1`,
      )
      if (!good && !input.upc)
        throw invalidFieldRefusal(
          { fields: stocktake.actions.count.input },
          'goodId',
          input.goodId ? 'not_found' : 'required',
        )
      if (!good) throw new Refused('stocktake_unknown', { upc: input.upc })
      const mode = input.mode === 'add' ? 'add' : 'set'
      if (mode === 'set' && input.quantity < 0)
        throw invalidFieldRefusal(
          { fields: { quantity: stocktake.actions.count.input.quantity } },
          'quantity',
          'too_small',
          {
            min: 0,
          },
        )
      const line = await recordStocktakeCount(
        call.db,
        row,
        { goodId: good.id, quantity: input.quantity, mode, requestKey: input.requestKey },
        call.services.now(),
      )
      publishRowsChanged(call, stocktakeLine, [line])
      const { counted, expected, difference, isMoved } = line
      return { id: line.id, goodId: good.id, name: good.name, counted, expected, difference, isMoved }
    },
    post: async (row, input, call) => {
      const posted = await postStocktake(call.db, row, input.uncounted === 'zero', call.services.now())
      if (input.remark) await call.db.update(stocktake, row.id, { remark: input.remark })
      return { id: row.id, differences: posted.differences }
    },
    cancel: async (row, _input, call) => {
      const next = await requireTransition(call, stocktake, row.id, 'cancel')
      return { id: row.id, status: next.status }
    },
  },
})

/**
 * SQL condition for lines (alias given) nobody has counted whose product has stock, positive or negative; products with
 * 0 in stock need no count. `text` is part of the name or the end of the barcode. The product is read by subquery: for
 * lines without statistics a join would scan all products.
 */
const uncounted = (alias: string, text = ''): Sql => {
  const line = raw(alias)
  const named = text ? sql` and (${containsTextSql(sql`g.name`, text)} or g.upc like ${`%${escapeLike(text)}`})` : empty
  return sql`(${line}.counted is null and (select g.is_deleted = 0 and g.stock <> 0${named} from good_info g
    where g.tenant_id = ${line}.tenant_id and g.id = ${line}.good_id))`
}

export const stocktakeLineServer = serve(stocktakeLine, {
  // Uncounted lines can be searched by name or barcode, as in the counting view.
  where: ({ query, caller }) => {
    if (query.isUncounted !== 'true') return empty
    for (const key of query.goodText ? (['name', 'upc'] as const) : [])
      if (!canReadField(goodInfo, key, caller))
        throw new Refused('filter_hidden', { label: goodInfo.fields[key].label })
    return sql` and ${uncounted('r', query.goodText)}`
  },
  present: async (wire, rows, call) => {
    if (!rows.length || !canReadField(goodInfo, 'stock', call.caller)) return
    const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select id, coalesce(stock, 0) as stock from good_info
        where id = any(${rows.map((row) => row.goodId)}::bigint[])`,
    ])
    const stocks = new Map((found as { id: string; stock: number }[]).map((row) => [row.id, row.stock]))
    for (const [at, row] of rows.entries()) wire[at]!.stock = stocks.get(row.goodId ?? '') ?? 0
  },
})

export const stocktakeRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shop/stocktake/preview',
    title: { zh: '盘点差异预览', en: 'Preview count discrepancies' },
    can: 'stocktake',
    input: {
      id: f.ref('stocktake', { label: stocktake.label, required: true }),
      uncounted: stocktake.actions.post.input.uncounted,
    },
    handle: async (call) => {
      // Locks the stocktake like an action does: checks visibility and waits for a posting under way.
      const take = (await lockVisibleRow(stocktakeServer, call, call.input.id)) as Stocktake
      const postings = await postingOf(call.db, take, call.input.uncounted === 'zero')
      const totals = totalsOf(postings)
      const state = await call.db.one<{ counted: number; uncounted: number; moved: number }>(
        sql`select count(counted)::int as counted, count(*) filter (where ${uncounted('l')})::int as uncounted,
          count(*) filter (where is_moved)::int as moved from stocktake_line l where tenant_id = ${call.db.tenantId}
          and stocktake_id = ${take.id}`,
      )
      const names = await call.db.query<{ id: string; name: string; upc: string; stock: number }>(
        sql`select id, name, upc, coalesce(stock, 0) as stock from good_info where tenant_id = ${call.db.tenantId}
          and id = any(${postings.map((one) => one.goodId)}::bigint[])`,
      )
      // Cost and stock are returned only to callers who may read them in the product list.
      const sees = (key: keyof typeof goodInfo.fields) => canReadField(goodInfo, key, call.caller)
      const hasCost = sees('costPrice') && canReadField(storageBatch, 'costPrice', call.caller)
      const worth = ({ change, costPrice }: (typeof postings)[number]) => (hasCost ? costOf(change, costPrice) : null)
      return {
        ...totals,
        surplusAmount: formatYuan(hasCost ? totals.surplusAmount : 0),
        shortAmount: formatYuan(hasCost ? totals.shortAmount : 0),
        ...state,
        lines: postings
          .toSorted((a, b) => Math.abs(worth(b) ?? 0) - Math.abs(worth(a) ?? 0))
          .slice(0, 500)
          .map((one) => {
            const { goodId, change } = one
            const { name, upc, stock } = names.find(({ id }) => id === goodId)!
            const counted = sees('stock') ? { stock, after: stock + change } : { stock: '', after: '' }
            const called = { name: sees('name') ? name : '', upc: sees('upc') ? upc : '' }
            const cents = worth(one)
            return { goodId, ...called, ...counted, change, amount: cents === null ? '' : formatYuan(cents) }
          }),
      }
    },
  }),
]
