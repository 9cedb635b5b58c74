import { analyzeWrittenTables } from '#kit/server/database/analyze.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'
import { placePurchase } from './place-order.ts'
import { findReorderSuggestions } from './suggest.server.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierInfo } from './supplier-info.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'

const DAY_MS = 86_400_000
const DAYS_BOUGHT = 45

/** Demo suppliers; `types` are words in product types they deliver, the last supplier takes all others. */
const cast = [
  {
    name: '农夫山泉杭州经销',
    types: ['水', '饮', '茶', '咖啡'],
    contact: '沈国强',
    phone: '13957100011',
    lead: 2,
    term: 30,
    min: 30_000,
    freight: 0,
    shelf: 365,
    box: 12,
  },
  {
    name: '祖名豆制品配送',
    types: ['乳', '奶', '鲜', '豆', '冷', '便当', '饭团', '三明治', '面包'],
    contact: '祝小燕',
    phone: '13957100012',
    lead: 1,
    term: 7,
    min: 20_000,
    freight: 1500,
    shelf: 7,
    box: 6,
  },
  {
    name: '三只松鼠华东仓',
    types: ['零食', '坚果', '饼干', '糖', '膨化', '巧克力'],
    contact: '胡一鸣',
    phone: '13957100013',
    lead: 3,
    term: 30,
    min: 50_000,
    freight: 0,
    shelf: 180,
    box: 10,
  },
  {
    name: '康师傅杭州分公司',
    types: ['面', '速食', '方便', '米'],
    contact: '章伟',
    phone: '13957100014',
    lead: 2,
    term: 30,
    min: 30_000,
    freight: 1200,
    shelf: 180,
    box: 12,
  },
  {
    name: '钱江日化批发',
    types: [],
    contact: '俞敏',
    phone: '0571-86010015',
    lead: 3,
    term: 45,
    min: 20_000,
    freight: 1000,
    shelf: 720,
    box: 6,
  },
]

/**
 * Seeds demo suppliers and their catalogues, the past orders of the existing batches, open orders and a half-full cart.
 */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  await seedGoods(db, await seedSuppliers(db))
  await seedBought(db, stage.now)
  await analyzeWrittenTables(db)
  for (const at of stage.shops.keys()) await seedOpenOrder(db, stage, at)
}

type Cast = (typeof cast)[number] & { id: string }

async function seedSuppliers(db: Db): Promise<Cast[]> {
  const suppliers: Cast[] = []
  for (const [at, one] of cast.entries()) {
    const row = await db.insert(supplierInfo, {
      name: one.name,
      status: 1,
      contact: one.contact,
      phone: one.phone,
      district: '330106',
      address: `杭州市西湖区西园路${10 + at}号`,
      licenceNo: `9133010${at}MA2${at}KX8R${at}T`,
      leadDays: one.lead,
      minAmount: one.min,
      freight: one.freight,
      settlementDays: one.term,
      bankName: '中国工商银行杭州分行',
      account: `620200120990${1000 + at}`,
    })
    suppliers.push({ ...one, id: row.id })
  }
  await db.insert(supplierInfo, {
    name: '旧城糖烟酒批发',
    status: 0,
    contact: '许老板',
    phone: '13957100019',
    leadDays: 5,
    settlementDays: 0,
    freight: 0,
    remark: '经常缺货，已停用',
  })
  return suppliers
}

/** State of each shop's open order, in turn, so that the demo has orders in every state. */
const STATES = [SUPPLIER_ORDER_STATE.placed, SUPPLIER_ORDER_STATE.confirmed, SUPPLIER_ORDER_STATE.shipped]

/** Seeds one open order and a half-full cart from what a shop needs according to the suggestions. */
async function seedOpenOrder(db: Db, { now, random, shops }: StorySeedContext, at: number): Promise<void> {
  const shop = shops[at]!
  const clock = {
    now: formatShanghaiTime(now),
    ago: (hours: number) => formatShanghaiTime(new Date(now.getTime() - hours * 3_600_000)),
  }
  const wanted = (await findReorderSuggestions(db, shop.shopId, 7, now)).filter((one) => one.quantity > 0)
  const bySupplier = [...Map.groupBy(wanted, (one) => one.supplierId).values()].toSorted(
    (a, b) => b.length - a.length || Number(a[0]!.supplierId) - Number(b[0]!.supplierId),
  )
  const [first, second] = bySupplier
  if (first) {
    const order = await placePurchase(db, {
      shopId: shop.shopId,
      supplierId: first[0]!.supplierId,
      lines: first.slice(0, 6).map(({ supplierGoodsId, quantity }) => ({ supplierGoodsId, quantity })),
    })
    const status = STATES[at % STATES.length]!
    if (status !== SUPPLIER_ORDER_STATE.placed)
      await transition(db, supplierOrder, order.id, 'confirm', {
        confirmTime: clock.ago(random.int(20, 30)),
        expectDate: clock.now.slice(0, 10),
      })
    if (status === SUPPLIER_ORDER_STATE.shipped)
      await transition(db, supplierOrder, order.id, 'ship', {
        shipTime: clock.ago(3),
        deliveryNo: `SH${clock.now.slice(2, 10).replaceAll('-', '')}${at}`,
      })
  }
  for (const { supplierGoodsId, supplierId, upc, quantity } of (second ?? []).slice(0, 4))
    await db.insert(supplierCart, { shopId: shop.shopId, supplierGoodsId, supplierId, upc, quantity })
}

async function seedGoods(db: Db, suppliers: readonly Cast[]): Promise<void> {
  const goods = await db.query<{
    upc: string
    name: string
    spec: string | null
    unit: string | null
    picture: string | null
    cost: number
    type: string
  }>(sql`select distinct on (g.upc) g.upc, g.name, g.spec, g.unit, g.picture,
      coalesce(g.cost_price, g.sale_price * 7 / 10) as cost, concat(t.name, ' ', p.name) as type
    from good_info g left join good_type t on t.id = g.good_type_id and t.tenant_id = g.tenant_id
    left join good_type p on p.id = t.parent_id and p.tenant_id = t.tenant_id
    where g.tenant_id = ${db.tenantId} and g.is_deleted = 0 order by g.upc, g.id`)
  const rest = suppliers.at(-1)!
  const rows = goods.map((good) => {
    const supplier =
      suppliers.find((one) => one.types.some((word) => good.type.includes(word) || good.name.includes(word))) ?? rest
    return { ...good, id: newId(), supplier }
  })
  await db.run(sql`insert into supplier_goods_info (id, tenant_id, supplier_id, upc, name, spec, unit, picture, price,
    box_qty, min_order, shelf_days, on_sale, create_user)
    select d.id, ${db.tenantId}, d.supplier, d.upc, d.name, d.spec, d.unit, d.picture, d.price, d.box, d.box, d.shelf,
    true, 0
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.supplier.id)}::bigint[],
    ${rows.map((row) => row.upc)}::text[], ${rows.map((row) => row.name)}::text[],
    ${rows.map((row) => row.spec)}::text[],
      ${rows.map((row) => row.unit)}::text[], ${rows.map((row) => row.picture)}::text[],
      ${rows.map((row) => row.cost)}::bigint[], ${rows.map((row) => row.supplier.box)}::int[],
      ${rows.map((row) => row.supplier.shelf)}::int[]) d(id, supplier, upc, name, spec, unit, picture, price, box,
      shelf)`)
}

/** Creates the past orders of the last weeks' batches: one for each shop, supplier and day, settled once it is due. */
async function seedBought(db: Db, now: Date): Promise<void> {
  const since = formatShanghaiTime(new Date(now.getTime() - DAYS_BOUGHT * DAY_MS))
  const groups = await db.query<{
    shopId: string
    supplierId: string
    day: string
    batches: string[]
  }>(sql`select b.shop_id, s.supplier_id, b.create_time::date::text as day, array_agg(b.id order by b.id) as batches
    from storage_batch b join supplier_goods_info s on s.tenant_id = b.tenant_id and s.upc = b.upc
    where b.tenant_id = ${db.tenantId} and not coalesce(b.is_open, false) and b.create_time >= ${since}::timestamptz
    group by 1, 2, 3 order by 3, 1, 2`)

  const orders = groups.map((group) => ({ ...group, id: newId() }))
  const lines = orders.flatMap((order) => order.batches.map((batchId) => ({ id: newId(), orderId: order.id, batchId })))

  await db.run(sql`update storage_batch b set supplier_id = o.supplier_id, supplier_order_id = o.id
    from unnest(${lines.map((line) => line.batchId)}::bigint[],
    ${lines.map((line) => line.orderId)}::bigint[]) l(batch_id, order_id)
    join unnest(${orders.map((order) => order.id)}::bigint[],
    ${orders.map((order) => order.supplierId)}::bigint[]) o(id, supplier_id) on o.id = l.order_id
    where b.id = l.batch_id and b.tenant_id = ${db.tenantId}`)
  await db.run(sql`insert into supplier_order_detail (id, tenant_id, order_id, shop_id, supplier_goods_id, good_id, upc,
    name, spec, unit, box_qty, price, quantity, amount, received_quantity, received_amount, sort, create_user,
    create_time, update_time)
    select l.id, ${db.tenantId}, l.order_id, b.shop_id, s.id, b.good_id, b.upc, s.name, s.spec, s.unit, s.box_qty,
    coalesce(b.cost_price, 0), b.quantity, b.quantity * coalesce(b.cost_price, 0), b.quantity,
    b.quantity * coalesce(b.cost_price, 0),
      row_number() over (partition by l.order_id order by b.id), 0, b.create_time - interval '2 days', b.create_time
    from unnest(${lines.map((line) => line.id)}::bigint[], ${lines.map((line) => line.orderId)}::bigint[],
    ${lines.map((line) => line.batchId)}::bigint[]) l(id, order_id, batch_id)
    join storage_batch b on b.id = l.batch_id and b.tenant_id = ${db.tenantId}
    join supplier_goods_info s on s.tenant_id = b.tenant_id and s.upc = b.upc`)
  await db.run(sql`insert into supplier_order (id, tenant_id, order_no, shop_id, supplier_id, status, kinds, quantity,
    received_quantity, amount, received_amount, freight, expect_date, confirm_time, ship_time, receive_time, due_date,
    settle_time, settled_amount, is_short, create_user, create_time, update_time)
    select o.id, ${db.tenantId}, 'PO' || o.id, o.shop_id, o.supplier_id, case
    when d.came::date + i.settlement_days < ${formatShanghaiTime(now).slice(0, 10)}::date then
      ${SUPPLIER_ORDER_STATE.settled}::int
    else ${SUPPLIER_ORDER_STATE.received}::int end, d.kinds, d.quantity, d.quantity, d.amount, d.amount, i.freight,
      d.came::date, d.came - interval '40 hours', d.came - interval '6 hours', d.came, d.came::date + i.settlement_days,
      case when d.came::date + i.settlement_days < ${formatShanghaiTime(now).slice(0, 10)}::date then d.came +
      make_interval(days => i.settlement_days::int) end,
      case when d.came::date + i.settlement_days < ${formatShanghaiTime(now).slice(0, 10)}::date then d.amount +
        i.freight
      end, false, 0, d.came - interval '2 days', d.came
    from unnest(${orders.map((order) => order.id)}::bigint[], ${orders.map((order) => order.shopId)}::bigint[],
    ${orders.map((order) => order.supplierId)}::bigint[]) o(id, shop_id, supplier_id)
    join supplier_info i on i.id = o.supplier_id and i.tenant_id = ${db.tenantId}
    join (select order_id, count(*)::int as kinds, sum(quantity)::int as quantity, sum(amount) as amount,
    max(update_time) as came from supplier_order_detail where tenant_id = ${db.tenantId}
    group by 1) d on d.order_id = o.id`)
}
