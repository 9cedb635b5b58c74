import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { figuresOf } from '#tests/support/figures.ts'
import { untilLocksWait } from '#tests/support/lock-waits.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'

let tenants: TestTenants
let shopId: string
let supplierId: string
let people: CastMember[]

beforeAll(async () => {
  tenants = await createTestTenants()
  shopId = tenants.north.shops[0]!
  const { admin } = tenants.north
  const codes = [
    'supplierOrder',
    'supplierOrder_receive',
    'supplierOrder_cancel',
    'supplierOrder_settle',
    'returnLog_add',
  ]
  people = [
    admin,
    await tenants.person(tenants.north, 'keeper', codes),
    await tenants.person(tenants.north, 'buyer', codes),
  ]
  supplierId = (await tenants.must(post('shop/supplierInfo/submit', { name: '同来的经销', leadDays: 2 }))).id
})
afterAll(() => tenants?.close())

const unit = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: unknown, who = tenants.north.admin): Promise<Answer> =>
  tenants.call(who, 'POST', `/api/${path}`, { body })
const act = (who: CastMember, name: string, id: string, body: object = {}) =>
  post(`supplier/supplierOrder/${name}`, { id, ...body }, who)
const reasonOf = ({ status, data, msg }: Answer) => (status === 200 ? 'done' : (data?.reason ?? msg))
const allHold = async () => expect(await unit((db) => figuresOf(db))).toEqual([])

/** Places and confirms a purchase order of 24 pieces each of two products. */
async function confirmed() {
  const goods = await Promise.all([1, 2].map(() => tenants.good(tenants.north, shopId)))
  const lines = []
  for (const { upc } of goods) {
    const body = { supplierId, upc, name: `水${upc}`, price: '1.11', boxQty: 1, minOrder: 1 }
    const { id } = await tenants.must(post('supplier/supplierGoodsInfo/submit', body))
    lines.push({ supplierGoodsId: id, quantity: 24 })
  }
  const { id } = await tenants.must(post('supplier/supplierOrder/submit', { shopId, supplierId, lines }))
  await tenants.must(act(tenants.north.admin, 'confirm', id))
  return { id: id as string, goods, lines: await linesOf(id) }
}
const linesOf = (orderId: string) =>
  unit((db) =>
    db.query<{ id: string; goodId: string; received: number }>(
      sql`select id::text as id, good_id::text as good_id, coalesce(received_quantity, 0) as received
        from supplier_order_detail where tenant_id = ${db.tenantId} and order_id = ${orderId} order by sort`,
    ),
  )
const orderNow = async (id: string) =>
  (await unit((db) =>
    db.one<{ status: number; received: number; isShort: boolean | null }>(
      sql`select status, coalesce(received_quantity, 0) as received, is_short from supplier_order
        where tenant_id = ${db.tenantId} and id = ${id}`,
    ),
  ))!
/** Runs the acts in this order while the order is locked: each starts when the one before waits for the lock. */
async function inOrder(id: string, acts: (() => Promise<Answer>)[]): Promise<string[]> {
  const answers: Promise<Answer>[] = []
  await unit(async (db) => {
    await db.run(sql`select 1 from supplier_order where tenant_id = ${db.tenantId} and id = ${id} for update`)
    for (const one of acts) {
      answers.push(one())
      await untilLocksWait(tenants.services, answers.length)
    }
  })
  return (await Promise.all(answers)).map(reasonOf)
}
/** Expects that so many pieces arrived, by the order, its lines and the stock. */
async function expectCame(id: string, pieces: number): Promise<void> {
  const lines = await linesOf(id)
  const stocks = await Promise.all(lines.map(({ goodId }) => tenants.stock(tenants.north, goodId)))
  expect([
    (await orderNow(id)).received,
    lines.reduce((sum, { received }) => sum + received, 0),
    stocks.reduce((sum, one) => sum + one, 0),
  ]).toEqual([pieces, pieces, pieces])
  await allHold()
}

describe('a purchase that two receive in parts while a third', () => {
  it('cancels it is received or cancelled, and nothing comes of one that is cancelled', async () => {
    for (const cancelAt of [0, 1, 2]) {
      const { id, lines } = await confirmed()
      const came = lines.map(({ id: detailId }) => [{ detailId, quantity: 12, was: 0 }])
      const acts = came.map((one, at) => () => act(people[at]!, 'receive', id, { lines: one }))
      acts.splice(cancelAt, 0, () => act(people[2]!, 'cancel', id, { cancelReason: '不要了' }))
      const outcomes = await inOrder(id, acts)
      const isCancelled = cancelAt === 0
      expect(outcomes).toEqual(acts.map((_one, at) => ((at === cancelAt) === isCancelled ? 'done' : 'action_not_now')))
      expect((await orderNow(id)).status).toBe(
        isCancelled ? SUPPLIER_ORDER_STATE.cancelled : SUPPLIER_ORDER_STATE.shipped,
      )
      await expectCame(id, isCancelled ? 0 : 24)
    }
  })

  it('says that nothing more will come ends with it, by what had come then', async () => {
    const { id, lines } = await confirmed()
    const [water, tea] = lines.map(({ id: detailId }) => [{ detailId, quantity: 24, was: 0 }])
    const outcomes = await inOrder(id, [
      () => act(people[0]!, 'receive', id, { lines: water }),
      () => act(people[2]!, 'receive', id, { lines: [], isLast: true }),
      () => act(people[1]!, 'receive', id, { lines: tea }),
    ])
    // After the first change of the row the database may let either of the others proceed.
    const isEnded = outcomes[1] === 'done'
    expect(outcomes).toEqual(['done', ...(isEnded ? ['done', 'action_not_now'] : ['action_not_now', 'done'])])
    const came = isEnded ? 24 : 48
    expect(await orderNow(id)).toEqual({ status: SUPPLIER_ORDER_STATE.received, received: came, isShort: isEnded })
    await expectCame(id, came)
  })

  it('gives back and pays, twenty at once, holds no more than was ordered, and nobody waits in a ring', async () => {
    const { id, goods, lines } = await confirmed()
    const parts = (order: typeof lines, was: number) =>
      order.map(({ id: detailId }) => ({ detailId, quantity: 12, was }))
    const acts = Array.from({ length: 4 }, (_none, at) => [
      () => act(people[0]!, 'receive', id, { lines: parts(lines, at < 2 ? 0 : 12) }),
      () => act(people[1]!, 'receive', id, { lines: parts(lines.toReversed(), at < 2 ? 0 : 12) }),
      () => act(people[2]!, 'cancel', id, { cancelReason: '不要了' }),
      () => act(people[2]!, 'settle', id, { settledAmount: '53.28' }),
      () =>
        post('shop/returnLog/submit', {
          direction: 'supplier',
          shopId,
          goodId: goods[at % 2]!.id,
          quantity: 1,
          reason: 'damaged',
          refId: id,
        }),
    ]).flat()
    const answers = await Promise.all(acts.map((one) => one()))
    expect(answers.filter(({ status, data }) => status >= 500 || data?.reason === 'busy')).toEqual([])
    const { status, received } = await orderNow(id)
    expect(Object.values(SUPPLIER_ORDER_STATE)).toContain(status)
    expect(status === SUPPLIER_ORDER_STATE.cancelled).toBe(received === 0)
    expect((await linesOf(id)).filter((line) => line.received > 24)).toEqual([])
    await allHold()
  })
})
