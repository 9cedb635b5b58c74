import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { discountConf } from './discount-conf.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'
import { createQuote } from './quote.ts'

const NOON = new Date('2026-11-20T12:00:00+08:00')
let tenants: TestTenants
let shopId: string
let quotes = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOON })
  shopId = tenants.north.shops[0]!
})
afterAll(() => tenants.close())

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: object, query = {}) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body, query }))
const good = (draft: object = {}) => tenants.good(tenants.north, shopId, { salePrice: '20.00', ...draft })

/** A campaign with half off some products (published or a draft), and a ticket for them held by a customer. */
async function offered(goodIds: string[], isPublic = true) {
  const { id } = await post('discountConf/submit', {
    name: '半价',
    type: 'percentage',
    rules: { rate: '50.00', cap: '' },
    goodIds,
    startTime: '2026-11-20 00:00:00',
    endTime: '2026-12-20 00:00:00',
    withTicket: true,
  })
  if (isPublic) await post('discountConf/public', { id })
  const ticket = await post('discountTicket/submit', {
    name: '单品券',
    type: 'amount',
    amount: '6.00',
    threshold: '0.00',
    validDays: 5,
    goodIds,
    enabled: true,
  })
  const customer = await unit((db) => db.insert(wxUser, { nickname: '陈', balance: 0, integral: 0 }))
  await post('discountTicket/issue', { id: ticket.id, wxUserIds: [customer.id] })
  const quoted = (upc: string) =>
    unit(async (db) => {
      const { priced } = await createQuote(db, {
        shopId,
        wxUserId: customer.id,
        lines: [{ upc, quantity: 1 }],
        tickets: 'best',
        points: 0,
        holder: 'register/1',
        // Asked again under the same number, so that no earlier quote holds the ticket.
        key: `F${quotes}`,
        now: NOON,
      })
      return priced.payAmount
    })
  const upcs = () =>
    unit(async (db) => [(await db.get(discountConf, id))!.upcs, (await db.get(discountTicket, ticket.id))!.upcs])
  quotes++
  return { id, quoted, upcs }
}

describe('a campaign and a ticket for goods', () => {
  it('stay with them when their barcode changes, and leave other goods that get the old one alone', async () => {
    const [one, other] = [await good(), await good()]
    const { quoted, upcs } = await offered([one.id, other.id])
    expect(await quoted(one.upc)).toBe(400)
    await post('goodInfo/submit', { id: one.id, upc: `${one.upc}N` })
    await good({ upc: one.upc })
    expect(await quoted(`${one.upc}N`)).toBe(400)
    expect(await quoted(one.upc)).toBe(2000)
    expect(await quoted(other.upc)).toBe(400)
    expect(await upcs()).toEqual([1, 2].map(() => [`${one.upc}N`, other.upc].sort()))
  })

  it('follow while the campaign is a draft; another save of the goods changes nothing of them', async () => {
    const one = await good()
    const { id, upcs } = await offered([one.id], false)
    const version = () => unit(async (db) => (await db.get(discountConf, id))!.version)
    const before = await version()
    await post('goodInfo/submit', { id: one.id, name: '改名', salePrice: '18.00' })
    expect(await version()).toBe(before)
    await post('goodInfo/submit', { id: one.id, upc: `${one.upc}N` })
    expect(await upcs()).toEqual([[`${one.upc}N`], [`${one.upc}N`]])
  })

  it('mean nothing else when the goods are removed, and the same when they are back', async () => {
    const [one, other] = [await good(), await good()]
    const { quoted, upcs } = await offered([one.id])
    await post('goodInfo/remove', {}, { ids: one.id })
    expect(await upcs()).toEqual([[one.upc], [one.upc]])
    expect(await quoted(other.upc)).toBe(2000)
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/kit/bin/goodInfo/restore', { query: { ids: one.id } }),
    )
    expect(await quoted(one.upc)).toBe(400)
  })

  it('have all the barcodes of goods that change at the same time', async () => {
    const goods = await Promise.all(Array.from({ length: 6 }, () => good()))
    const { upcs } = await offered(goods.map(({ id }) => id))
    await Promise.all(goods.map(({ id, upc }) => post('goodInfo/submit', { id, upc: `${upc}N` })))
    const all = goods.map(({ upc }) => `${upc}N`).sort()
    expect(await upcs()).toEqual([all, all])
  })
})

describe('a set', () => {
  it('is not published once one of its goods is gone, draft or copy; the refusal names the barcode', async () => {
    const [one, other] = [await good(), await good()]
    const items = [one, other].map(({ upc }) => ({ upc, quantity: 1 }))
    const { id } = await post('discountConf/submit', {
      name: '套餐',
      type: 'bundle',
      rules: { items, price: '30.00' },
      startTime: '2026-11-20 00:00:00',
      endTime: '2026-12-20 00:00:00',
    })
    await post('goodInfo/remove', {}, { ids: other.id })
    const copy = await post('discountConf/copy', { id })
    for (const draft of [id, copy.id]) {
      const path = '/api/shop/discountConf/public'
      const { status, body } = await tenants.call(tenants.north.admin, 'POST', path, { body: { id: draft } })
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(other.upc)])
      expect(await unit(async (db) => (await db.get(discountConf, draft))!.status)).toBe(0)
    }
  })
})
