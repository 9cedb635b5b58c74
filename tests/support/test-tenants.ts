import { paymentPortSlot, type PaymentPort } from '#domains/money/payment-channels/api.ts'
import { createUser } from '#domains/platform/identity/api.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Resource } from '#kit/resource/index.ts'
import { basic, testServer, type Answer, type CastMember, type TestServer } from './server.ts'

export type Register = { id: string; sn: string; secret: string; shopId: string }
type TestTenant = { tenantId: string; admin: CastMember; shops: string[] }

const simulated: PaymentPort = { refund: async (ask) => ({ state: 'done', channelRefundId: `t-${ask.outNo}` }) }

/** The server, and what the test tenants share. */
type Ground = {
  server: TestServer
  /** Returns a number not used before. */
  next: () => number
}

/** Creates two tenants through the API, with shops, products, registers and users, on the whole product over HTTP. */
export async function createTestTenants({ now, listen }: { now?: () => Date; listen?: boolean } = {}) {
  const server = await testServer({ now, listen })
  const { services, call, ask } = server
  services.slots.fill(paymentPortSlot, simulated)
  let made = 0
  const ground: Ground = { server, next: () => ++made }
  return {
    server,
    services,
    call,
    ask,
    must,
    north: await tenant(ground, '100001', '北街'),
    south: await tenant(ground, '100002', '南街'),
    ...peopleOf(ground),
    ...goodsOf(ground),
    ...registersOf(ground),
    close: () => server.close(),
  }
}

/** Returns an answer's data; throws when it is a refusal. */
async function must<T = any>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, data, body } = await answer
  if (status !== 200) throw new Error(JSON.stringify(body))
  return data
}

async function tenant({ server }: Ground, tenantId: string, tenantName: string): Promise<TestTenant> {
  const { services, call } = server
  await services.unit({ crossTenantReason: 'test tenants' }, (db) =>
    createTenant(db, services, { tenantName }, { tenantId, password: 'admin' }),
  )
  const admin = await server.as('admin', { tenantId })
  const shops: string[] = []
  for (const n of [1, 2]) {
    const body = { shopName: `${tenantName}${n}号店`, shopCode: `T${n}` }
    shops.push((await must(call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))).id)
  }
  // The shops accept cash and deliver.
  await services.unit({ tenantId }, (db) =>
    db.run(
      sql`update shop_conf set pay_types = array['cash', 'wechat', 'alipay', 'card', 'balance'],
        delivery_enabled = true`,
    ),
  )
  return { tenantId, admin, shops }
}

function peopleOf({ server, next }: Ground) {
  const { services, call } = server

  /** Creates a user with a role that has these permission codes, by default all of the shop modules. */
  const person = async (of: TestTenant, alias: string, codes?: readonly string[]): Promise<CastMember> => {
    const account = `${alias}${next()}`
    await services.unit({ tenantId: of.tenantId }, async (db: Db) => {
      const role = (await db.insert(services.registry.resource('role') as Resource, {
        parentId: '0',
        roleName: account,
        roleAlias: alias,
        ownShops: ['boss', 'clerk'].includes(alias),
        sort: 1,
      })) as unknown as { id: string }
      const wanted = codes
        ? sql`code = any(${codes})`
        : sql`path like '/api/shop/%' or path like any(array['/shop%', '/goods%', '/order%', '/device%'])`
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${of.tenantId}, ${role.id}, id from menu
          where is_deleted = 0 and (${wanted})`,
      )
      await createUser(db, { account, name: account, password: account, roleIds: [role.id] })
    })
    return server.as(account, { tenantId: of.tenantId })
  }

  return {
    person,
    /** Creates a boss of one single shop. */
    boss: async (of: TestTenant, shopId: string): Promise<CastMember> => {
      const boss = await person(of, 'boss')
      const body = { id: shopId, staff: [{ userId: boss.userId, position: 'boss' }] }
      await must(call(of.admin, 'POST', '/api/shop/basicShopInfo/staff', { body }))
      return boss
    },
  }
}

const goodsOf = ({ server: { call }, next }: Ground) => ({
  good: async (
    of: TestTenant,
    shopId: string,
    draft: Record<string, unknown> = {},
  ): Promise<{ id: string; upc: string }> => {
    const made = next()
    const upc = `G${1000 + made}`
    const body = { shopId, upc, name: `商品${made}`, salePrice: '5.00', costPrice: '3.00', ...draft }
    const { id } = await must(call(of.admin, 'POST', '/api/shop/goodInfo/submit', { body }))
    return { id, upc: (draft.upc as string | undefined) ?? upc }
  },
  receive: (of: TestTenant, shopId: string, goodId: string, quantity: number, expiryDate = '2030-01-01') =>
    must(call(of.admin, 'POST', '/api/shop/storageBatch/submit', { body: { shopId, goodId, quantity, expiryDate } })),
  stock: async (of: TestTenant, id: string): Promise<number> =>
    (await must(call(of.admin, 'GET', '/api/shop/goodInfo/detail', { query: { id } }))).stock,
})

const registersOf = ({ server: { call }, next }: Ground) => ({
  register: async (of: TestTenant, shopId: string): Promise<Register> => {
    const sn = `REG-${next()}`
    const { id } = await must(
      call(of.admin, 'POST', '/api/shop/cashRegister/submit', { body: { shopId, sn, name: sn } }),
    )
    const { secret } = await must(call(of.admin, 'POST', '/api/shop/cashRegister/issue', { query: { id } }))
    return { id, sn, secret, shopId }
  },
  /** Makes one call as a register. */
  beep: (
    register: Pick<Register, 'sn' | 'secret'>,
    method: 'GET' | 'POST',
    path: string,
    ask: { query?: Record<string, unknown>; body?: unknown; lang?: 'zh' | 'en' } = {},
  ) =>
    call(undefined, method, `/api/terminal/${path}`, {
      ...ask,
      headers: { authorization: basic(register.sn, register.secret) },
    }),
})

export type TestTenants = Awaited<ReturnType<typeof createTestTenants>>

let sales = 0
/** Returns the body of a register's sale with one line. */
export const saleBodyOf = (upc: string, more: Record<string, unknown> = {}, quantity = 1, price = '5.00') => ({
  saleNo: `N${++sales}`,
  saleTime: '2026-11-20 09:00:00',
  payType: 'cash',
  payAmount: (Number(price) * quantity).toFixed(2),
  lines: [{ upc, name: '可乐', price, quantity, discount: '0.00', amount: (Number(price) * quantity).toFixed(2) }],
  ...more,
})
