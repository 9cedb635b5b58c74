import ExcelJS from 'exceljs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '#kit/server/base/random.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createTestWorld } from '#tests/support/world.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { findRollupDifferences, foldRollupDeltas, rebuildRollups } from './fold.job.ts'
import { splitPeriodByUnits } from './period.ts'

const NOW = new Date('2026-11-20T10:00:00+08:00')
let tenants: TestTenants
let boss: CastMember
let registers: Awaited<ReturnType<TestTenants['register']>>[]
let customers: string[]
let goods: { id: string; upc: string; shop: number }[]

const tenant = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const fetchStatistics = async (person: CastMember, name: string, query: Record<string, unknown> = {}) =>
  tenants.must(tenants.call(person, 'GET', `/api/shop/statistics/${name}`, { query }))
const cents = (text: string) => Math.round(Number(text) * 100)

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOW })
  const { north } = tenants
  registers = [
    await tenants.register(north, north.shops[0]!),
    await tenants.register(north, north.shops[0]!),
    await tenants.register(north, north.shops[1]!),
  ]
  const types = []
  for (const name of ['饮料', '面包'])
    types.push(
      (await tenants.must(tenants.call(north.admin, 'POST', '/api/shop/goodType/submit', { body: { name } })))
        .id as string,
    )
  goods = []
  for (const shop of [0, 1])
    for (const [n, goodTypeId] of [...types, ''].entries())
      goods.push({
        ...(await tenants.good(north, north.shops[shop]!, {
          goodTypeId: goodTypeId || undefined,
          salePrice: `${3 + n}.50`,
        })),
        shop,
      })
  customers = await tenant(async (db) => {
    const made: string[] = []
    for (const n of [0, 1, 2, 3, 4, 5, 6])
      made.push(
        (await db.insert(wxUser, { nickname: `顾客${n}`, phone: `1390000000${n}`, balance: 0, integral: 0 })).id,
      )
    return made
  })
  boss = await tenants.boss(north, north.shops[0]!)
}, 90_000)
afterAll(() => tenants?.close())

/** Counts a period from the rows alone, in the simplest way. */
const recount = (period: { from: string; to: string }, shops: readonly string[]) =>
  tenant(async (db) => {
    const [sales] = await db.query<{ sales: number; orders: number; members: number; guests: number }>(sql`
      select coalesce(sum(pay_amount), 0)::float8 as sales, count(*)::int as orders,
      count(distinct wx_user_id)::int as members, (count(*) filter (where wx_user_id is null))::int as guests
      from shopping_order where status in (1, 2, 3, 4) and shop_id = any(${shops}::bigint[])
      and pay_time > ${period.from}::timestamptz and pay_time < ${period.to}::timestamptz`)
    const [refunds] = await db.query<{ refunds: number; n: number }>(sql`
      select coalesce(sum(amount), 0)::float8 as refunds, count(*)::int as n from refunds where status = 3
      and shop_id = any(${shops}::bigint[]) and finish_time > ${period.from}::timestamptz
      and finish_time < ${period.to}::timestamptz`)
    const types = await db.query<{ type: string; sales: number }>(sql`
      select coalesce(t.name, '未分类') as type, sum(d.amount)::float8 as sales from shopping_order r
      join shopping_order_detail d on d.order_id = r.id left join good_info g on g.id = d.good_id left
      join good_type t on t.id = g.good_type_id
      where r.status in (1, 2, 3, 4) and r.shop_id = any(${shops}::bigint[])
      and r.pay_time > ${period.from}::timestamptz and r.pay_time < ${period.to}::timestamptz group by 1`)
    const [fresh] = await db.query<{ n: number }>(sql`
      select count(*)::int as n from (select wx_user_id from shopping_order where status in (1, 2, 3, 4)
      and wx_user_id is not null and shop_id = any(${shops}::bigint[]) group by 1
        having min(pay_time) > ${period.from}::timestamptz and min(pay_time) < ${period.to}::timestamptz) f`)
    return {
      ...sales!,
      ...refunds!,
      fresh: fresh!.n,
      types: Object.fromEntries(types.map((row) => [row.type, row.sales])),
    }
  })

const pad = (n: number) => String(n).padStart(2, '0')

describe('a period', () => {
  it('is cut into whole units and ends that together cover each moment exactly once', () => {
    const HOUR = 3_600_000
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4000 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom('hour', 'day' as const),
        (start, length, a, b, fine) => {
          const from = Date.UTC(2026, 0, 1) + start * HOUR + a * 60_000
          const to = from + length * HOUR + (b - a) * 60_000
          if (to <= from) return
          const { kept, coarse, edges } = splitPeriodByUnits({ from, to }, fine, fine === 'hour' ? 'day' : 'month')
          const covers = (period: { from: number; to: number }, at: number) =>
            at >= period.from && at < period.to ? 1 : 0
          expect(kept.from).toBeLessThanOrEqual(kept.to)
          const inner = coarse ?? kept
          expect([inner.from >= kept.from, !coarse || coarse.from < kept.to, inner.to <= kept.to]).not.toContain(false)
          for (const at of [from - 1, from, from + 1, (from + to) / 2, to - 1, to, to + 1, kept.from, kept.to]) {
            expect(covers(kept, at) + edges.reduce((sum, edge) => sum + edge.sign * covers(edge, at), 0)).toBe(
              covers({ from, to }, at),
            )
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('the statistics', () => {
  const random = createRandom(7)
  /** A random time; refunds are made on the 20th, so sales must be earlier. */
  const moment = (last = 21) =>
    `2026-11-${pad(random.int(12, last))} ${pad(random.int(0, 23))}:${pad(random.int(0, 59))}:${pad(random.int(0, 59))}`
  const placed: string[] = []
  let sold = 0

  const sell = async () => {
    const register = random.pick(registers)
    const shop = tenants.north.shops.indexOf(register.shopId)
    const good = random.pick(goods.filter((one) => one.shop === shop))
    const quantity = random.int(1, 4)
    const customerId = random.chance(0.6) ? random.pick(customers) : undefined
    const sale = {
      saleTime: moment(19),
      payType: random.pick(['cash', 'wechat']),
      transactionNo: `T${++sold}`,
      customerId,
    }
    placed.push(
      (
        await tenants.must(
          tenants.beep(register, 'POST', 'sale', {
            body: saleBodyOf(good.upc, sale, quantity, `${random.int(2, 9)}.50`),
          }),
        )
      ).orderId,
    )
  }

  it(
    'follow sales, late sales, refunds, cancellations and merged customers made by parallel ' +
      'callers, and never drift from a recount',
    async () => {
      for (let round = 0; round < 3; round++) {
        await Promise.all([...Array.from({ length: 12 }, sell), foldRollupDeltas(tenants.services)])
        const back = placed.filter(() => random.chance(0.15))
        await Promise.all(
          back.map((orderId) =>
            tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', {
              body: { orderId, full: true, reason: '退' },
            }),
          ),
        )
        await Promise.all([tenants.server.jobs.runDue(), foldRollupDeltas(tenants.services)])
        await tenant(async (db) => {
          // Random changes of orders: unpaid, paid, paid earlier, cancelled, or two customers merged into one.
          const some = await db.query<{ id: string }>(
            sql`select id from shopping_order where refund_amount = 0 order by id desc limit 3`,
          )
          await db.run(sql`update shopping_order set status = 9 where id = ${some[0]!.id}`)
          await db.run(
            sql`update shopping_order set pay_time = pay_time - interval '5 hours' where id = ${some[1]!.id}`,
          )
          await db.run(sql`update shopping_order set status = 0 where id = ${some[2]!.id}`)
          await db.run(sql`update shopping_order set status = 2 where id = ${some[2]!.id}`)
          await db.run(
            sql`update shopping_order set wx_user_id = (select max(wx_user_id) from shopping_order)
            where wx_user_id = (select min(wx_user_id) from shopping_order)`,
          )
        })
        expect(await tenant((db) => findRollupDifferences(db))).toEqual([])
      }
      await foldRollupDeltas(tenants.services)
      expect(await tenant((db) => findRollupDifferences(db))).toEqual([])
    },
    30_000,
  )

  it('agree with the rows to the cent for any shops and any moments', async () => {
    const { admin, shops } = tenants.north
    for (let n = 0; n < 20; n++) {
      if (n % 6 === 0) await sell()
      if (n === 12) await foldRollupDeltas(tenants.services)
      const [from, to] = [moment(), moment()].toSorted((a, b) => a.localeCompare(b)) as [string, string]
      const chosen = random.pick([shops, [shops[0]!], [shops[1]!]])
      const query = { createTime_dategt: from, createTime_datelt: to, shopIds: chosen.join(',') }
      const plain = await recount({ from, to }, chosen)
      const people = await fetchStatistics(admin, 'countOrderPeople', query)
      const days = await fetchStatistics(admin, 'incomePanelByDate', query)
      const hours = await fetchStatistics(admin, 'dataByDate', query)
      const byShop = await fetchStatistics(admin, 'countOrderSumPrice', query)
      const byType = await fetchStatistics(admin, 'countOrderSumPriceByGoodType', query)
      const { sale } = await fetchStatistics(admin, 'countSaleAndStorage', query)
      const total = (rows: any[], key: string) =>
        rows.reduce((sum, row) => sum + (typeof row[key] === 'string' ? cents(row[key]) : row[key]), 0)
      expect([from, to, cents(sale.income), sale.orders, cents(sale.refunds), sale.refundCount]).toEqual([
        from,
        to,
        plain.sales,
        plain.orders,
        plain.refunds,
        plain.n,
      ])
      for (const rows of [days, hours, byShop])
        expect([total(rows, 'income'), total(rows, 'orders'), total(rows, 'refunds')]).toEqual([
          plain.sales,
          plain.orders,
          plain.refunds,
        ])
      expect([people.members, people.guestOrders, people.newCustomers]).toEqual([
        plain.members,
        plain.guests,
        plain.fresh,
      ])
      expect(
        Object.fromEntries(
          byType.filter((row: any) => cents(row.amount)).map((row: any) => [row.name, cents(row.amount)]),
        ),
      ).toEqual(plain.types)
    }
  }, 30_000)

  it('count who came to several shops on one day once a day, folded or not', async () => {
    const { admin, shops } = tenants.north
    for (const [n, at] of [0, 2].entries()) {
      const good = goods.find((one) => one.shop === n)!
      await tenants.must(
        tenants.beep(registers[at]!, 'POST', 'sale', {
          body: saleBodyOf(
            good.upc,
            { saleTime: '2026-11-15 10:00:00', payType: 'cash', transactionNo: `R${n}`, customerId: customers[2] },
            1,
            '3.00',
          ),
        }),
      )
    }
    for (let n = 0; n < 12; n++) {
      if (n % 3 === 0) await Promise.all([sell(), sell(), sell()])
      if (n % 4 === 0) await foldRollupDeltas(tenants.services)
      const chosen = random.pick([shops, [shops[0]!], [shops[1]!]])
      const [from, to] = [`2026-11-${pad(random.int(12, 15))}`, `2026-11-${pad(random.int(15, 20))}`]
      const plain = await tenant((db) =>
        db.query<{ date: string; n: number }>(sql`
        select to_char(pay_time, 'YYYY-MM-DD') as date, (count(distinct wx_user_id) + count(*)
        filter (where wx_user_id is null))::int as n from shopping_order
        where status in (1, 2, 3, 4) and shop_id = any(${chosen}::bigint[])
        and pay_time >= ${`${from} 00:00:00`}::timestamptz
        and pay_time < ${`${to} 00:00:00`}::timestamptz + interval '1 day' group by 1 order by 1`),
      )
      const days = await fetchStatistics(admin, 'incomePanelByDate', {
        createTime_dategt: from,
        createTime_datelt: to,
        shopIds: chosen.join(','),
      })
      expect(
        days.filter((day: any) => day.customers).map((day: any) => ({ date: day.date, n: day.customers })),
      ).toEqual(plain)
      expect(await tenant((db) => findRollupDifferences(db))).toEqual([])
    }
    const [roaming] = await tenant((db) => db.query<{ n: number }>(sql`select count(*)::int as n from roamers_by_day`))
    expect(roaming!.n).toBeGreaterThan(0)
  }, 30_000)

  it('show a boss his shops only, whatever he asks for, and a neighbour nothing', async () => {
    const { shops } = tenants.north
    const query = { createTime_dategt: '2026-11-01', createTime_datelt: '2026-11-30' }
    const mine = await recount({ from: '2026-11-01 00:00:00', to: '2026-12-01 00:00:00' }, [shops[0]!])
    expect(
      (await fetchStatistics(boss, 'countOrderSumPrice', query)).map((row: any) => [row.shopId, cents(row.amount)]),
    ).toEqual([[shops[0], mine.sales]])
    for (const name of ['countOrderSumPrice', 'countOrderSumPriceByGoodType'])
      expect(await fetchStatistics(boss, name, { ...query, shopIds: shops[1] })).toEqual([])
    expect((await fetchStatistics(boss, 'countSaleAndStorage', { ...query, shopIds: shops[1] })).sale.orders).toBe(0)
    expect((await fetchStatistics(boss, 'countOrderPeople', { ...query, shopIds: shops[1] })).customers).toBe(0)
    expect((await fetchStatistics(tenants.south.admin, 'countSaleAndStorage', query)).sale.orders).toBe(0)
  })

  it('compare what is not over with as much before up to the same moment, what is over with all of it', async () => {
    const { admin, shops } = tenants.north
    const sellAt = async (saleTime: string) => {
      const good = goods.find((one) => one.shop === 0)!
      const sale = { saleTime, payType: 'cash', transactionNo: `C${saleTime}` }
      await tenants.must(tenants.beep(registers[0]!, 'POST', 'sale', { body: saleBodyOf(good.upc, sale) }))
    }
    for (const time of ['2026-11-19 09:59:59', '2026-11-19 10:00:01', '2026-11-13 23:00:00', '2026-11-20 08:00:00'])
      await sellAt(time)
    const compared = async (person: CastMember, from: string, to: string, more: object = {}) => {
      const query = { createTime_dategt: from, createTime_datelt: to, compare: 'true', ...more }
      return (await fetchStatistics(person, 'countSaleAndStorage', query)).before
    }
    const rows = async (from: string, to: string, of: readonly string[] = shops) => {
      const { sales, orders, refunds } = await recount({ from, to }, of)
      return [sales, orders, refunds]
    }
    const sums = (found: any) => [cents(found.income), found.orders, cents(found.refunds)]
    const day = await compared(admin, '2026-11-20', '2026-11-20')
    expect(day).toMatchObject({ from: '2026-11-19 00:00:00', to: '2026-11-19 10:00:01', isSoFar: true })
    expect(sums(day)).toEqual(await rows('2026-11-18 23:59:59', '2026-11-19 10:00:01'))
    expect(sums(day)).not.toEqual(await rows('2026-11-18 23:59:59', '2026-11-20 00:00:00'))
    const week = await compared(admin, '2026-11-14', '2026-11-20')
    expect(week).toMatchObject({ from: '2026-11-07 00:00:00', to: '2026-11-13 10:00:01', isSoFar: true })
    expect(sums(week)).toEqual(await rows('2026-11-06 23:59:59', '2026-11-13 10:00:01'))
    const over = await compared(admin, '2026-11-14', '2026-11-16')
    expect(over).toMatchObject({ from: '2026-11-11 00:00:00', to: '2026-11-14 00:00:00', isSoFar: false })
    expect(sums(over)).toEqual(await rows('2026-11-10 23:59:59', '2026-11-14 00:00:00'))
    const mine = await compared(boss, '2026-11-20', '2026-11-20', { shopIds: shops.join(',') })
    expect(sums(mine)).toEqual(await rows('2026-11-18 23:59:59', '2026-11-19 10:00:01', [shops[0]!]))
    // Without `compare` the answer is unchanged, and an open period has none before it.
    expect(await fetchStatistics(admin, 'countSaleAndStorage')).not.toHaveProperty('before')
    const open = { createTime_dategt: '2026-11-01', compare: 'true' }
    expect(await fetchStatistics(admin, 'countSaleAndStorage', open)).not.toHaveProperty('before')
  })

  it('count from the rows for whoever may see only some of them', async () => {
    const world = createTestWorld(tenants.server)
    const rights = { tenantId: tenants.north.tenantId, permissions: new Set(['shoppingOrder', 'refunds']) }
    const query = { createTime_dategt: '2026-11-01', createTime_datelt: '2026-11-30' }
    const orders = async (scopes: Caller['dataScopes']) => {
      const { data } = await world.ask(
        world.be({ ...rights, dataScopes: scopes }),
        'GET',
        '/api/shop/statistics/countSaleAndStorage',
        { query },
      )
      return data.sale.orders as number
    }
    const count = (where: ReturnType<typeof sql>) =>
      tenant(async (db) => (await db.find(shoppingOrder, sql`r.status in (1, 2, 3, 4) and ${where}`)).length)
    expect(await orders([])).toBe(await count(sql`true`))
    const cash = await count(sql`r.pay_type = 'cash'`)
    expect(cash).toBeGreaterThan(0)
    expect(await orders([{ resourceCode: 'shoppingOrder', type: 5, column: null, value: "pay_type = 'cash'" }])).toBe(
      cash,
    )
    expect(await orders([{ resourceCode: 'shoppingOrder', type: 2, column: null, value: null }])).toBe(0)
    // Refunds count as far as the caller may see them: neither others' rows nor hidden amounts.
    const refunded = async (scopes: Caller['dataScopes']) => {
      const { data } = await world.ask(
        world.be({ ...rights, dataScopes: scopes }),
        'GET',
        '/api/shop/statistics/countSaleAndStorage',
        { query },
      )
      return cents(data.sale.refunds)
    }
    expect(await refunded([])).toBeGreaterThan(0)
    expect(await refunded([{ resourceCode: 'refunds', type: 2, column: null, value: null }])).toBe(0)
    expect(await refunded([{ resourceCode: 'refunds', type: 1, column: null, value: null, fields: 'refundNo' }])).toBe(
      0,
    )
    const hidden = world.be({
      ...rights,
      dataScopes: [{ resourceCode: 'shoppingOrder', type: 1, column: null, value: null, fields: 'orderNo' }],
    })
    expect((await world.ask(hidden, 'GET', '/api/shop/statistics/countSaleAndStorage', { query })).status).toBe(403)
  })

  it('say that a number was entered wrong where a value cannot be counted exactly, and do not crash', async () => {
    const { admin } = tenants.north
    const wrong = await tenant((db) =>
      db.one<{ id: string }>(sql`insert into good_info (id, tenant_id, shop_id, name, upc, stock, sale_price)
        values (1, ${tenants.north.tenantId}, ${tenants.north.shops[0]}, '错价', 'WRONG', 2000000000,
        99999999) returning id`),
    )
    const answer = await tenants.call(admin, 'GET', '/api/shop/statistics/countSaleAndStorage', {})
    await tenant((db) => db.run(sql`delete from good_info where id = ${wrong!.id}`))
    expect(answer).toMatchObject({ status: 400, data: { reason: 'number_too_big' } })
    expect(answer.body.msg).toContain('输入有误')
  })

  it('counted anew, wrong sums are right again, also when all were lost and sales go on', async () => {
    await foldRollupDeltas(tenants.services)
    await tenant(async (db) => {
      await db.run(sql`delete from sales_by_hour`)
      await db.run(sql`update sales_by_day set sales = sales + 1`)
      await db.run(sql`update goods_by_day set items = 7`)
      await db.run(sql`delete from people_by_month`)
      await db.run(sql`update visitors_by_day set people = people + 1 where at > '2026-11-14'`)
      await db.run(sql`delete from roamers_by_day`)
    })
    expect((await tenant((db) => findRollupDifferences(db))).length).toBeGreaterThan(3)
    const [wrong] = await Promise.all([
      rebuildRollups(tenants.services, tenants.north.tenantId),
      ...Array.from({ length: 6 }, sell),
    ])
    expect(wrong).toBeGreaterThan(3)
    expect(await tenant((db) => findRollupDifferences(db))).toEqual([])
    expect(await rebuildRollups(tenants.services, tenants.north.tenantId)).toBe(0)
  })

  it('are a workbook for who may read them, and are counted anew by who may ask for that, once', async () => {
    const { admin } = tenants.north
    const query = { createTime_dategt: '2026-11-12', createTime_datelt: '2026-11-20' }
    const file = await tenants.server.http.inject({
      method: 'GET',
      url: `/api/shop/statistics/export?${new URLSearchParams(query).toString()}`,
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(file.rawPayload as never)
    const days = await fetchStatistics(admin, 'incomePanelByDate', query)
    const column = (sheet: number, at: number) => book.worksheets[sheet]!.getColumn(at).values.slice(2).map(Number)
    expect(column(0, 2)).toEqual(days.map((row: any) => Number(row.income)))
    expect(column(1, 2).reduce((sum, one) => sum + Math.round(one * 100), 0)).toBe(
      days.reduce((sum: number, row: any) => sum + cents(row.income), 0),
    )
    const reader = await tenants.person(tenants.north, 'reader', ['shoppingOrder', 'businessAnalysis'])
    const clerk = await tenants.person(tenants.north, 'clerk', ['shoppingOrder'])
    for (const [person, path, method, status] of [
      [clerk, 'export', 'GET', 403],
      [reader, 'export', 'GET', 200],
      [reader, 'rebuild', 'POST', 403],
      [admin, 'rebuild', 'POST', 200],
      [admin, 'rebuild', 'POST', 200],
    ] as const)
      expect([path, (await tenants.call(person, method, `/api/shop/statistics/${path}`)).status]).toEqual([
        path,
        status,
      ])
    expect(await fetchStatistics(admin, 'recount')).toEqual({})
    await tenants.server.jobs.runDue()
    expect((await fetchStatistics(admin, 'recount')).wrong).toBe(0)
  })

  it('by type are the income and the refunds of the period, freight a line of its own both ways', async () => {
    const { admin, shops } = tenants.north
    const good = goods[0]!
    const { id } = await tenant((db) =>
      placeOrder(db, {
        shopId: shops[0]!,
        source: 'mini',
        type: 'delivery',
        status: 1,
        payType: 'cash',
        payTime: '2026-11-20 09:00:00',
        payAmount: 950,
        freight: 600,
        deliverTo: { name: '王小明', phone: '13800000000', address: '文一路 1 号' },
        lines: [{ goodId: good.id, upc: good.upc, name: '水', price: 350, quantity: 1, discount: 0, amount: 350 }],
      }),
    )
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/refunds/now', { body: { orderId: id, full: true, reason: '退' } }),
    )
    await tenants.server.jobs.runDue()
    const day = { createTime_datege: '2026-11-20', createTime_datele: '2026-11-20' }
    const types = (await fetchStatistics(admin, 'countOrderSumPriceByGoodType', day)) as {
      name: string
      amount: string
      refunds: string
    }[]
    const { sale } = await fetchStatistics(admin, 'countSaleAndStorage', day)
    const sum = (key: 'amount' | 'refunds') => types.reduce((all, row) => all + cents(row[key]), 0)
    expect([sum('amount'), sum('refunds')]).toEqual([cents(sale.income), cents(sale.refunds)])
    expect(types.at(-1)).toMatchObject({ name: '运费', amount: '6.00', refunds: '6.00' })
  })

  it(
    'value what lies in the shops: pieces, cost and price of the same goods, ' + 'none of goods that were removed',
    async () => {
      const { admin, shops } = tenants.north
      const query = { shopIds: shops[1] }
      const { storage } = await fetchStatistics(admin, 'countSaleAndStorage', query)
      const good = await tenants.good(tenants.north, shops[1]!)
      await tenants.receive(tenants.north, shops[1]!, good.id, 2)
      expect((await fetchStatistics(admin, 'countSaleAndStorage', query)).storage).toMatchObject({
        items: storage.items + 2,
        cost: (Number(storage.cost) + 6).toFixed(2),
      })
      const { orderId } = await tenants.must(
        tenants.beep(registers[2]!, 'POST', 'sale', { body: saleBodyOf(good.upc, {}, 2) }),
      )
      await tenants.must(tenants.call(admin, 'POST', '/api/shop/goodInfo/remove', { query: { ids: good.id } }))
      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refunds/now', { body: { orderId, full: true, reason: '退' } }),
      )
      await tenants.server.jobs.runDue()
      expect((await fetchStatistics(admin, 'countSaleAndStorage', query)).storage).toEqual(storage)
      await tenants.must(tenants.call(admin, 'POST', '/api/kit/bin/goodInfo/restore', { body: { ids: good.id } }))
      // Refunded while the product was in the recycle bin, so nothing went back into stock.
      expect((await fetchStatistics(admin, 'countSaleAndStorage', query)).storage).toMatchObject({
        items: storage.items,
        cost: storage.cost,
      })
    },
  )

  it('refuse a moment that is none', async () => {
    for (const createTime_dategt of ['yesterday', '2026-13-01', '2026-02-30', '2026-11-01 25:00:00'])
      expect(
        (
          await tenants.call(tenants.north.admin, 'GET', '/api/shop/statistics/dataByDate', {
            query: { createTime_dategt },
          })
        ).status,
      ).toBe(400)
  })
})
