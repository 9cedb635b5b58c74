import { afterAll, beforeAll, expect, it } from 'vitest'
import { wxUser } from '#domains/sales/customers/index.ts'
import { productModules } from './modules.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let admin: CastMember
let boss: CastMember
let register: Register
let here: string
let otherShop: string
let ruleId = ''
let numbers = 0

beforeAll(async () => {
  tenants = await createTestTenants()
  admin = tenants.north.admin
  ;[here, otherShop] = tenants.north.shops as [string, string]
  boss = await tenants.person(tenants.north, 'chief', [])
  register = await tenants.register(tenants.north, here)
  const receivers = [{ type: 'MERCHANT_ID', account: '1900000109', name: '服务商' }]
  await done('/api/merchant/merchantInfo/submit', {
    name: '北街商贸',
    merchantNo: 'M1',
    shopIds: here,
    shareRatio: '30.00',
    receivers,
  })
}, 120_000)
afterAll(() => tenants?.close())

const post = (path: string, body: object = {}, who = admin): Promise<Answer> =>
  tenants.call(who, 'POST', path, { body })
const done = (path: string, body: object = {}) => tenants.must(post(path, body))
const idOf = async (path: string, body: object = {}): Promise<string> => (await done(path, body)).id
const listed = async (path: string, query: object): Promise<any[]> =>
  (await tenants.must(tenants.call(admin, 'GET', path, { query: { size: 100, ...query } }))).records
const no = (kind: string) => `${kind}${++numbers}`

const guard = async (act: string) => {
  const rule = { id: ruleId, act, name: '审批', userIds: boss.userId, enabled: true }
  ruleId = await idOf('/api/blade-flow/rule/submit', rule)
}

/** Asks for an act behind an approval and approves it. Returns its outcome. */
async function agreed(path: string, body: object): Promise<{ state: number; outcome: string }> {
  await guard(path)
  const answer = await post(path, body)
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
  const { held } = answer.body.data
  const { records } = await tenants.must(tenants.call(boss, 'GET', '/api/blade-flow/work/claim-list'))
  const { taskId, processInstanceId } = records.find((one: { businessId: string }) => one.businessId === held)
  await tenants.must(tenants.call(boss, 'POST', '/api/blade-flow/work/claim-task', { query: { taskId } }))
  const decision = { taskId, processInstanceId, comment: '看过', flag: 'ok' }
  await tenants.must(tenants.call(boss, 'POST', '/api/blade-flow/work/complete-task', { body: decision }))
  await tenants.server.jobs.runDue()
  // Running the job again, as after a crash, must change nothing.
  const changeJob = productModules.flatMap(({ jobs = [] }) => jobs).find(({ queue }) => queue === 'workflow.change')
  await changeJob!.run({ id: held }, { tenantId: tenants.north.tenantId, services: tenants.services } as never)
  const [row] = await listed('/api/blade-flow/change/list', { id_in: held })
  await guard('/api/blade-flow/away/remove')
  return { state: row.state, outcome: row.outcome }
}

const stocked = async (quantity = 10, shopId = here) => {
  const good = await tenants.good(tenants.north, shopId)
  await tenants.receive(tenants.north, shopId, good.id, quantity)
  return good
}
const sold = async (price = '8.00', more: object = {}) => {
  const { upc } = await stocked()
  const body = saleBodyOf(upc, { transactionNo: no('T'), payType: 'wechat', ...more }, 1, price)
  return (await tenants.must(tenants.beep(register, 'POST', 'sale', { body }))).orderId as string
}
const customer = (): Promise<string> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
    const { id } = await db.insert(wxUser, { nickname: no('顾客') })
    return id
  })
const stockOf = (id: string) => tenants.stock(tenants.north, id)

type Case = [name: string, path: string, setUp: () => Promise<{ body: object; after: () => Promise<unknown> }>]

/** Every act that assigns a number or moves money or stock, with a check that it was done once. */
const acts: Case[] = [
  [
    'a refund now',
    '/api/shop/refunds/now',
    async () => {
      const orderId = await sold()
      return {
        body: { orderId, full: true, reason: '坏了' },
        after: async () =>
          expect(await listed('/api/shop/refunds/list', { orderId })).toMatchObject([{ amount: '8.00' }]),
      }
    },
  ],
  [
    'a refund that is asked for',
    '/api/shop/refunds/submit',
    async () => {
      const orderId = await sold()
      return {
        body: { orderId, full: true, reason: '坏了' },
        after: async () =>
          expect(await listed('/api/shop/refunds/list', { orderId })).toMatchObject([{ amount: '8.00', status: 0 }]),
      }
    },
  ],
  [
    'a recharge',
    '/api/shop/rechargeLog/recharge',
    async () => {
      const wxUserId = await customer()
      return {
        body: { wxUserId, amount: '10.00', payType: 'cash', reason: '现金' },
        after: async () =>
          expect(await listed('/api/shop/rechargeLog/list', { wxUserId })).toMatchObject([{ amount: '10.00' }]),
      }
    },
  ],
  [
    'a receipt of goods',
    '/api/shop/storageBatch/submit',
    async () => {
      const good = await stocked(3)
      return {
        body: { shopId: here, goodId: good.id, quantity: 5, expiryDate: '2030-01-01' },
        after: async () => expect(await stockOf(good.id)).toBe(8),
      }
    },
  ],
  [
    'a loss',
    '/api/shop/goodInfo/loss',
    async () => {
      const good = await stocked(3)
      return {
        body: { id: good.id, quantity: 1, remark: '破损' },
        after: async () => expect(await stockOf(good.id)).toBe(2),
      }
    },
  ],
  [
    'a correction',
    '/api/shop/goodInfo/correct',
    async () => {
      const good = await stocked(3)
      return {
        body: { id: good.id, change: 4, reason: 'other' },
        after: async () => expect(await stockOf(good.id)).toBe(7),
      }
    },
  ],
  [
    'a transfer',
    '/api/shop/stockTransfer/submit',
    async () => {
      const good = await stocked(3)
      const lines = [{ goodId: good.id, quantity: 2 }]
      const before = (await listed('/api/shop/stockTransfer/list', {})).length
      return {
        body: { fromShopId: here, toShopId: otherShop, lines },
        after: async () => expect(await listed('/api/shop/stockTransfer/list', {})).toHaveLength(before + 1),
      }
    },
  ],
  [
    'sending a transfer',
    '/api/shop/stockTransfer/dispatch',
    async () => {
      const good = await stocked(3)
      const lines = [{ goodId: good.id, quantity: 2 }]
      const id = await idOf('/api/shop/stockTransfer/submit', { fromShopId: here, toShopId: otherShop, lines })
      return { body: { id }, after: async () => expect(await stockOf(good.id)).toBe(1) }
    },
  ],
  [
    'taking in a transfer',
    '/api/shop/stockTransfer/receive',
    async () => {
      const good = await stocked(3)
      const lines = [{ goodId: good.id, quantity: 2 }]
      const id = await idOf('/api/shop/stockTransfer/submit', { fromShopId: here, toShopId: otherShop, lines })
      await done('/api/shop/stockTransfer/dispatch', { id })
      return {
        body: { id, lines: [{ goodId: good.id, received: 2 }] },
        after: async () =>
          expect(await listed('/api/shop/goodInfo/list', { shopId: otherShop, upc_equal: good.upc })).toMatchObject([
            { stock: 2 },
          ]),
      }
    },
  ],
  [
    'a stocktake',
    '/api/shop/stocktake/submit',
    async () => {
      await stocked(1, otherShop)
      return {
        body: { shopId: otherShop, scope: 'all', rule: 'add' },
        after: async () => {
          const open = await listed('/api/shop/stocktake/list', { shopId: otherShop })
          expect(open).toHaveLength(1)
          await done('/api/shop/stocktake/cancel', { id: open[0].id })
        },
      }
    },
  ],
  [
    'posting a stocktake',
    '/api/shop/stocktake/post',
    async () => {
      const good = await stocked(5)
      const id = await idOf('/api/shop/stocktake/submit', { shopId: here, scope: 'all', rule: 'add' })
      await done('/api/shop/stocktake/count', { id, upc: good.upc, quantity: 4, mode: 'set' })
      return { body: { id }, after: async () => expect(await stockOf(good.id)).toBe(4) }
    },
  ],
  [
    'a return to the supplier',
    '/api/shop/returnLog/submit',
    async () => {
      const good = await stocked(5)
      const body = { direction: 'supplier', shopId: here, goodId: good.id, reason: 'expiring', quantity: 3 }
      return { body, after: async () => expect(await stockOf(good.id)).toBe(2) }
    },
  ],
  [
    'a purchase order',
    '/api/supplier/supplierOrder/submit',
    async () => {
      const { body } = await bought()
      const before = (await listed('/api/supplier/supplierOrder/list', {})).length
      return {
        body,
        after: async () => expect(await listed('/api/supplier/supplierOrder/list', {})).toHaveLength(before + 1),
      }
    },
  ],
  [
    'receiving a purchase order',
    '/api/supplier/supplierOrder/receive',
    async () => {
      const { body, good } = await bought()
      const id = await idOf('/api/supplier/supplierOrder/submit', body)
      for (const step of ['confirm', 'ship']) await done(`/api/supplier/supplierOrder/${step}`, { id })
      const [line] = await listed('/api/supplier/supplierOrderDetail/list', { orderId: id })
      const lines = [{ detailId: line.id, quantity: 12, expiryDate: '2030-01-01' }]
      return { body: { id, lines }, after: async () => expect(await stockOf(good.id)).toBe(12) }
    },
  ],
  [
    'a share of an order',
    '/api/merchant/shareLog/submit',
    async () => {
      const orderId = await sold('10.00')
      const receivers = [
        { type: 'MERCHANT_ID', account: '1900000109', name: '服务商', amount: '0.70', description: '服务费' },
      ]
      return {
        body: { orderId, description: '服务费', receivers },
        after: async () =>
          expect(await listed('/api/merchant/shareLog/list', { orderId })).toMatchObject([{ amount: '0.70' }]),
      }
    },
  ],
]

async function bought() {
  const supplierId = await idOf('/api/shop/supplierInfo/submit', {
    name: no('经销'),
    leadDays: 2,
    settlementDays: 30,
    freight: '8.00',
  })
  const good = await tenants.good(tenants.north, here)
  const supplierGoodsId = await idOf('/api/supplier/supplierGoodsInfo/submit', {
    supplierId,
    upc: good.upc,
    name: '水',
    price: '1.20',
    boxQty: 12,
    minOrder: 12,
  })
  return { good, body: { shopId: here, supplierId, lines: [{ supplierGoodsId, quantity: 12 }] } }
}

it.each(acts)('%s behind an approval is done once when it is agreed to', async (_name, path, setUp) => {
  const { body, after } = await setUp()
  expect(await agreed(path, body)).toEqual({ state: 2, outcome: '' })
  await after()
})
