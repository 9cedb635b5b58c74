import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { Resource } from '#kit/resource/index.ts'

const now = new Date('2026-11-20T09:00:00+08:00')
let tenants: TestTenants
let boss: CastMember
let mine: string
let theirs: string

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId: '100001' }, work)
/** Creates a customer who was never in the boss's shop. */
const customer = () =>
  unit((db) =>
    db.insert(tenants.services.registry.resource('wxUser') as Resource, {
      nickname: '外店顾客',
      balance: 0,
      integral: 0,
    }),
  ) as Promise<any>
const post = (who: CastMember, path: string, body: object) => tenants.call(who, 'POST', `/api/${path}`, { body })
const listed = async (path: string): Promise<any[]> =>
  (await tenants.must(tenants.call(boss, 'GET', `/api/${path}/list`))).records
const statusOf = async (answer: ReturnType<typeof post>) => (await answer).status

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  const { north } = tenants
  ;[mine, theirs] = north.shops as [string, string]
  const codes = await unit((db) => db.query<{ code: string }>(sql`select code from menu where is_deleted = 0`))
  boss = await tenants.person(
    north,
    'boss',
    codes.map((row) => row.code),
  )
  await tenants.must(
    post(north.admin, 'shop/basicShopInfo/staff', { id: mine, staff: [{ userId: boss.userId, position: 'boss' }] }),
  )
})
afterAll(() => tenants?.close())

describe('a boss of one shop, who holds every permission,', () => {
  it('does not change a row that stands for a shop of another as well, and so gets no second shop by it', async () => {
    const { id } = await tenants.must(
      post(tenants.north.admin, 'shop/wxShoper/submit', {
        nickname: '合伙人',
        openid: 'o-1',
        role: 'boss',
        shopIds: `${mine},${theirs}`,
      }),
    )
    expect((await listed('shop/wxShoper')).map((row) => row.id)).toContain(id)
    expect(await statusOf(post(boss, 'shop/wxShoper/submit', { id, userId: boss.userId }))).toBe(403)
    expect((await tenants.call(boss, 'POST', '/api/shop/wxShoper/remove', { query: { ids: id } })).status).toBe(403)
    expect((await listed('shop/basicShopInfo')).map((row) => row.id)).toEqual([mine])
  })

  it('is not put out of his shop by who may less, nor is anybody of other shops put into it by them', async () => {
    const { north } = tenants
    const codes = ['basicShopInfo', 'basicShopInfo_staff']
    const [clerk, mate, elsewhere] = await Promise.all(
      codes.concat('x').map(() => tenants.person(north, 'boss', codes)),
    )
    const staffOf = (id: string, people: CastMember[], who = north.admin) =>
      post(who, 'shop/basicShopInfo/staff', {
        id,
        staff: people.map(({ userId }) => ({ userId, position: userId === boss.userId ? 'boss' : 'clerk' })),
      })
    await tenants.must(staffOf(mine, [boss, clerk!]))
    await tenants.must(staffOf(theirs, [elsewhere!]))
    expect((await staffOf(mine, [clerk!], clerk)).data.reason).toBe('user_above')
    expect((await staffOf(mine, [boss, clerk!, elsewhere!], clerk)).data.reason).toBe('user_above')
    await tenants.must(staffOf(mine, [boss, clerk!, mate!], clerk))
    await tenants.must(staffOf(mine, [boss, clerk!], clerk))
    await tenants.must(staffOf(mine, [boss], boss))
    await tenants.must(staffOf(theirs, []))
  })

  it('does not raise the refunds he may sign himself, nor gives others more than he has', async () => {
    const roleOf = async (who: CastMember) =>
      (await unit((db) =>
        db.one<{ id: string }>(sql`select role_id[1]::text as id from sys_user where id = ${who.userId}`),
      ))!.id
    const clerk = await tenants.person(tenants.north, 'clerk')
    expect(
      (await post(boss, 'shop/refundLimit/submit', { roleId: await roleOf(boss), amount: '99999' })).data.reason,
    ).toBe('refund_limit_own')
    expect(
      (await post(boss, 'shop/refundLimit/submit', { roleId: await roleOf(clerk), amount: '200.01' })).data.reason,
    ).toBe('refund_over_limit')
    const { id } = await tenants.must(
      post(tenants.north.admin, 'shop/refundLimit/submit', { roleId: await roleOf(boss), amount: '10' }),
    )
    expect((await tenants.call(boss, 'POST', '/api/shop/refundLimit/remove', { query: { ids: id } })).data.reason).toBe(
      'refund_limit_own',
    )
    const theirs = await tenants.must(
      post(boss, 'shop/refundLimit/submit', { roleId: await roleOf(clerk), amount: '5' }),
    )
    // Without this row the role would have the general limit, which is higher than the boss's own.
    const another = await roleOf(await tenants.person(tenants.north, 'auditor'))
    expect(
      (await tenants.call(boss, 'POST', '/api/shop/refundLimit/remove', { query: { ids: theirs.id } })).data.reason,
    ).toBe('refund_over_limit')
    expect((await post(boss, 'shop/refundLimit/submit', { id: theirs.id, roleId: another })).data.reason).toBe(
      'refund_over_limit',
    )
    await tenants.must(post(boss, 'shop/refundLimit/submit', { id: theirs.id, amount: '6' }))
  })

  it(
    'neither sees nor serves a customer who has never been with him: no money, ' + 'term, ticket or entry is written',
    async () => {
      const { id: wxUserId } = await customer()
      const level = await tenants.must(
        post(tenants.north.admin, 'shop/vipLevel/submit', {
          name: '金',
          rank: 1,
          discountRate: 90,
          integralTimes: 1,
          enabled: true,
        }),
      )
      const ticket = { type: 'amount', amount: '3', threshold: '10', validDays: 30, perUser: 0 }
      const common = await tenants.must(
        post(tenants.north.admin, 'shop/discountTicket/submit', { name: '通用券', ...ticket }),
      )
      await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/discountTicket/issue', {
          query: { id: common.id, wxUserIds: wxUserId },
        }),
      )
      expect(await listed('shop/customerTicket')).toEqual([])
      const own = await tenants.must(
        post(boss, 'shop/discountTicket/submit', { name: '本店券', ...ticket, shopIds: mine }),
      )
      expect(
        (
          await tenants.call(boss, 'POST', '/api/shop/discountTicket/issue', {
            query: { id: own.id, wxUserIds: wxUserId },
          })
        ).status,
      ).toBe(400)
      for (const [path, body] of [
        ['rechargeLog/recharge', { amount: '0.01', payType: 'cash', reason: '充' }],
        ['blackList/submit', { shopId: mine, reason: '闹事' }],
        ['vipInfo/submit', { shopId: mine, level: level.id, endTime: '2027-01-01 00:00:00' }],
      ] as const)
        expect((await post(boss, `shop/${path}`, { wxUserId, ...body })).data.fields ?? path).toHaveProperty('wxUserId')
      expect((await tenants.call(boss, 'GET', '/api/shop/wxUser/detail', { query: { id: wxUserId } })).status).toBe(404)
    },
  )

  it(
    'is not told in which other shop a ticket was spent, on what and how much of it, be it ' +
      'by the row, its export, or by asking',
    async () => {
      const { id: wxUserId } = await customer()
      const admin = tenants.north.admin
      const ticket = await tenants.must(
        post(admin, 'shop/discountTicket/submit', {
          name: '两店券',
          type: 'amount',
          amount: '3',
          threshold: '10',
          validDays: 30,
          perUser: 0,
          shopIds: `${mine},${theirs}`,
        }),
      )

      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/discountTicket/issue', {
          query: { id: ticket.id, wxUserIds: wxUserId },
        }),
      )
      const held = (await unit((db) =>
        db.one<{ id: string }>(
          sql`update customer_ticket set status = 2, shop_id = ${theirs}, order_id = 77, used_amount = 300,
          used_time = now() where wx_user_id = ${wxUserId} returning id::text`,
        ),
      ))!

      const ask = async (who: CastMember, query: object = {}) =>
        (
          await tenants.must(
            tenants.call(who, 'GET', '/api/shop/customerTicket/list', { query: { ticketId: ticket.id, ...query } }),
          )
        ).records as any[]

      expect((await ask(admin))[0]).toMatchObject({ id: held.id, shopId: theirs, usedAmount: '3.00' })
      const [seen] = await ask(boss)
      expect(seen).toMatchObject({
        id: held.id,
        status: 2,
        shopId: '',
        shopName: '',
        orderId: '',
        usedAmount: -1,
        usedTime: '',
      })

      const detail = await tenants.must(
        tenants.call(boss, 'GET', '/api/shop/customerTicket/detail', { query: { id: held.id } }),
      )
      expect(detail).toMatchObject({ shopId: '', shopName: '', orderId: '', usedAmount: -1 })
      for (const query of [
        { shopId: theirs },
        { orderId: '77' },
        { usedAmount_ge: '2' },
        { usedTime_datege: '2020-01-01' },
        { descs: 'usedAmount' },
        { ascs: 'createTime,usedTime' },
      ])
        expect([query, await ask(boss, query)]).toEqual([query, []])

      expect(await ask(boss, { status: '2' })).toHaveLength(1)
    },
  )

  it(
    'sees the money of his own shop in bills, and of merchants with other ' + 'shops neither bills nor accounts',
    async () => {
      const merchant = { type: 'enterprise', feeRate: 0.6, status: 1 }
      const admin = tenants.north.admin
      const other = await tenants.must(
        post(admin, 'merchant/merchantInfo/submit', { name: '别人', merchantNo: 'M1', shopIds: theirs, ...merchant }),
      )
      for (const shopId of [mine, theirs]) {
        const [good, register] = [
          await tenants.good(tenants.north, shopId),
          await tenants.register(tenants.north, shopId),
        ]
        await tenants.must(
          tenants.beep(register, 'POST', 'sale', {
            body: saleBodyOf(good.upc, {
              saleTime: '2026-11-19 09:00:00',
              payType: 'wechat',
              transactionNo: `T${shopId}`,
            }),
          }),
        )
      }
      const bills = { billType: 'day', day: '2026-11-19' }
      await tenants.must(post(admin, 'merchant/bill/generate', bills))
      expect([
        await listed('merchant/merchantInfo'),
        await listed('merchant/bill'),
        await listed('merchant/billDetail'),
      ]).toEqual([[], [], []])
      expect(await statusOf(post(boss, 'merchant/merchantInfo/submit', { id: other.id, shopIds: mine }))).toBe(404)
      const { id } = await tenants.must(
        post(admin, 'merchant/merchantInfo/submit', { name: '自己', merchantNo: 'M2', shopIds: mine, ...merchant }),
      )
      expect((await tenants.must(post(boss, 'merchant/bill/generate', bills))).count).toBe(1)
      expect((await listed('merchant/bill')).map((row) => row.merchantId)).toEqual([id])
      // Two merchants' shops go to one: the bill is no longer theirs alone, but their lines in it are.
      await tenants.must(post(admin, 'merchant/merchantInfo/submit', { id: other.id, shopIds: '' }))
      await tenants.must(post(admin, 'merchant/merchantInfo/submit', { id, shopIds: `${mine},${theirs}` }))
      await tenants.must(post(admin, 'merchant/bill/generate', bills))
      expect(await listed('merchant/bill')).toEqual([])
      expect((await listed('merchant/billDetail')).map((row) => row.shopId)).toEqual([mine])
      expect(await statusOf(post(boss, 'merchant/merchantInfo/submit', { id, bankName: '我的' }))).toBe(403)
    },
  )
})
