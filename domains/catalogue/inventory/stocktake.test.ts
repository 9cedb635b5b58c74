import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { CastMember } from '#tests/support/server.ts'
import { mergeCounts, type CountEntry } from './merge-counts.ts'

describe('counts of several people', () => {
  const entry = fc.record({
    userId: fc.constantFrom('1', '2', '3'),
    mode: fc.constantFrom('set' as const, 'add' as const),
    quantity: fc.nat(20),
  })
  const at = (list: { userId: string; mode: 'set' | 'add'; quantity: number }[]): CountEntry[] =>
    list.map((one, seq) => ({ ...one, book: 100 - seq, seq }))

  it('added up, they come to the same however their entries were interleaved', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.nat(2)), (entries, picks) => {
        const queues = ['1', '2', '3'].map((userId) => entries.filter((one) => one.userId === userId))
        const mixed: typeof entries = []
        while (mixed.length < entries.length) {
          const from = queues[picks.next().value as number]!
          if (from.length) mixed.push(from.shift()!)
        }
        expect(mergeCounts(at(mixed), 'add')!.counted).toBe(mergeCounts(at(entries), 'add')!.counted)
      }),
    )
  })

  it('by the rule of the last one, whoever counted last stands alone with all of his own', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
        const last = entries.at(-1)!.userId
        const own = entries.filter((one) => one.userId === last)
        expect(mergeCounts(at(entries), 'last')).toMatchObject({
          counted: mergeCounts(at(own), 'add')!.counted,
          counters: [last],
        })
      }),
    )
  })

  it(
    'a count begun anew is held against the books of that moment, and one that ' + 'went on while stock moved says so',
    () => {
      const first = { userId: '1', mode: 'set', quantity: 5, book: 9, seq: 4 } as const
      expect(mergeCounts([first], 'add')).toMatchObject({ counted: 5, expected: 9, isMoved: false })
      expect(mergeCounts([first, { ...first, mode: 'add', quantity: 2, book: 8, seq: 5 }], 'add')).toMatchObject({
        counted: 7,
        expected: 9,
        isMoved: true,
      })
      expect(mergeCounts([first, { ...first, quantity: 7, book: 8, seq: 5 }], 'add')).toMatchObject({
        counted: 7,
        expected: 8,
        baseSeq: 5,
        isMoved: false,
      })
      expect(mergeCounts([], 'add')).toBeUndefined()
    },
  )
})

describe('a stocktake', () => {
  let tenants: TestTenants
  let wu: CastMember
  let zhou: CastMember
  let shop: string
  beforeAll(async () => {
    tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
    wu = tenants.north.admin
    shop = tenants.north.shops[0]!
    zhou = await tenants.boss(tenants.north, shop)
  })
  afterAll(() => tenants.close())

  const call = (person: CastMember, path: string, ask: object) =>
    tenants.call(person, 'POST', `/api/shop/stocktake/${path}`, ask)
  const open = async (draft: object = {}) =>
    (await tenants.must(call(wu, 'submit', { body: { shopId: shop, scope: 'all', rule: 'add', ...draft } })))
      .id as string
  const count = (person: CastMember, id: string, upc: string, quantity: number, more: object = {}) =>
    call(person, 'count', { body: { id, upc, quantity, mode: 'set', ...more } })
  const preview = async (id: string, query: object = {}) =>
    tenants.must(tenants.call(wu, 'GET', '/api/shop/stocktake/preview', { query: { id, ...query } }))
  const stocked = async (quantity: number) => {
    const good = await tenants.good(tenants.north, shop)
    await tenants.receive(tenants.north, shop, good.id, quantity)
    return good
  }
  const lose = (id: string, quantity: number) =>
    tenants.must(tenants.call(wu, 'POST', '/api/shop/goodInfo/loss', { body: { id, quantity, remark: '破损' } }))
  const stock = (id: string) => tenants.stock(tenants.north, id)

  it('adds what two people found at once, takes what was sold meanwhile as it is, and is posted once', async () => {
    const cola = await stocked(10)
    const chips = await stocked(8)
    const id = await open()
    await Promise.all([count(wu, id, cola.upc, 4), count(zhou, id, cola.upc, 5), count(zhou, id, chips.upc, 8)])
    await lose(cola.id, 2)
    const { lines, shortAmount, differences } = await preview(id)
    expect(lines).toMatchObject([{ goodId: cola.id, stock: 8, change: -1, after: 7, amount: '-3.00' }])
    expect([differences, shortAmount]).toEqual([1, '3.00'])
    const posted = await Promise.all([call(wu, 'post', { body: { id } }), call(zhou, 'post', { body: { id } })])
    expect(posted.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await stock(cola.id)).toBe(7)
    expect(await stock(chips.id)).toBe(8)
    expect((await count(wu, id, cola.upc, 1)).data.reason).toBe('action_not_now')
    const { data } = await tenants.call(wu, 'GET', '/api/shop/stocktakeLine/list', {
      query: { stocktakeId: id, goodId: cola.id },
    })
    expect(data.records).toMatchObject([{ opening: 10, expected: 10, counted: 9, difference: -1, posted: -1 }])
    expect(data.records[0].counters.split(',').toSorted()).toEqual([wu.userId, zhou.userId].toSorted())
  })

  it(
    'counts the same request once, a new count of the same person replaces his ' + 'own, and nobody counts below zero',
    async () => {
      const good = await stocked(6)
      const id = await open()
      for (let again = 0; again < 3; again++)
        await tenants.must(count(wu, id, good.upc, 2, { mode: 'add', requestKey: 'phone-1' }))
      expect((await tenants.must(count(wu, id, good.upc, 1, { mode: 'add', requestKey: 'phone-2' }))).counted).toBe(3)
      expect((await count(wu, id, good.upc, 5, { mode: 'add', requestKey: 'phone-2' })).data.reason).toBe(
        'count_key_reused',
      )
      expect((await tenants.must(count(wu, id, good.upc, 6))).counted).toBe(6)
      expect((await count(wu, id, good.upc, -7, { mode: 'add' })).status).toBe(400)
      expect((await count(wu, id, good.upc, -1)).status).toBe(400)
      await tenants.must(call(wu, 'cancel', { query: { id } }))
      expect(await stock(good.id)).toBe(6)
    },
  )

  it('by the rule of the last one the second count replaces the first', async () => {
    const good = await stocked(6)
    const id = await open({ rule: 'last' })
    await tenants.must(count(wu, id, good.upc, 2))
    expect((await tenants.must(count(zhou, id, good.upc, 5))).counted).toBe(5)
    await tenants.must(call(wu, 'post', { body: { id } }))
    expect(await stock(good.id)).toBe(5)
  })

  it('does not set right a second time what somebody counted by itself since', async () => {
    const good = await stocked(10)
    const id = await open()
    await tenants.must(count(wu, id, good.upc, 7))
    await tenants.must(tenants.call(wu, 'POST', '/api/shop/goodInfo/stocktake', { body: { id: good.id, counted: 7 } }))
    expect((await preview(id)).lines).toEqual([])
    await tenants.must(call(wu, 'post', { body: { id } }))
    expect(await stock(good.id)).toBe(7)
  })

  it('leaves goods nobody counted alone, unless it is said that there are none', async () => {
    const seen = await stocked(3)
    const unseen = await stocked(4)
    const first = await open({ scope: 'all' })
    await tenants.must(count(wu, first, seen.upc, 3))
    expect((await preview(first)).lines).toEqual([])
    expect((await preview(first, { uncounted: 'zero' })).lines).toContainEqual(
      expect.objectContaining({ goodId: unseen.id, change: -4 }),
    )
    await tenants.must(call(wu, 'post', { body: { id: first } }))
    expect(await stock(unseen.id)).toBe(4)
    const second = await open()
    await tenants.must(count(wu, second, seen.upc, 3))
    await tenants.must(call(wu, 'post', { body: { id: second, uncounted: 'zero' } }))
    expect([await stock(seen.id), await stock(unseen.id)]).toEqual([3, 0])
  })

  it(
    'lists what has stock and was not counted, with what the books say now, by page and by name or the end of a ' +
      'barcode; what has none, was removed or was counted is not in it',
    async () => {
      const named = (name: string, more: object = {}) => tenants.good(tenants.north, shop, { name, ...more })
      const inStock = async (name: string, quantity: number, shelfNo: string) => {
        const good = await named(name, { shelfNo })
        await tenants.receive(tenants.north, shop, good.id, quantity)
        return good
      }
      const tea = await inStock('没数到的乌龙茶', 8, 'M02')
      const nuts = await inStock('没数到的坚果', 3, 'M01')
      const seen = await inStock('没数到的面包', 2, 'M03')
      await named('没数到的空货', { shelfNo: 'M04' })
      const gone = await named('没数到的旧货', { shelfNo: 'M05' })
      const id = await open({ scope: 'shelf', shelfNo: 'M' })
      await tenants.must(count(wu, id, seen.upc, 0))
      await tenants.must(tenants.call(wu, 'POST', '/api/shop/goodInfo/remove', { query: { ids: gone.id } }))
      await lose(tea.id, 1)
      const list = async (query: Record<string, string> = {}, who = wu) => {
        const { records, total } = await tenants.must(
          tenants.call(who, 'GET', '/api/shop/stocktakeLine/list', {
            query: { stocktakeId: id, isUncounted: 'true', ascs: 'shelfNo', ...query },
          }),
        )
        return [total, ...records.map((row: any) => [row.goodName, row.stock, row.expected])]
      }
      const [ofNuts, ofTea] = [
        ['没数到的坚果', 3, 3],
        ['没数到的乌龙茶', 7, 8],
      ]
      expect(await list()).toEqual([2, ofNuts, ofTea])
      expect(await list({ size: '1', current: '2' })).toEqual([2, ofTea])
      expect(await list({ goodText: '乌龙' })).toEqual([1, ofTea])
      expect(await list({ goodText: nuts.upc.slice(-4) })).toEqual([1, ofNuts])
      // Signs of a pattern stand for themselves, and nobody else's shop is looked through.
      for (const goodText of ['%', '_', '面包']) expect(await list({ goodText })).toEqual([0])
      const stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
      for (const who of [stranger, tenants.south.admin]) expect(await list({}, who)).toEqual([0])
      expect(await preview(id)).toMatchObject({ counted: 1, uncounted: 2 })
      await tenants.must(count(wu, id, tea.upc, 7))
      await tenants.must(count(zhou, id, nuts.upc, 3))
      expect(await list()).toEqual([0])
      await tenants.must(call(wu, 'cancel', { query: { id } }))
    },
  )

  it('of one shelf takes goods of that shelf, also those that came in since, and no others', async () => {
    const inside = await tenants.good(tenants.north, shop, { shelfNo: 'K01' })
    const outside = await tenants.good(tenants.north, shop, { shelfNo: 'L01' })
    expect(
      (await call(wu, 'submit', { body: { shopId: shop, scope: 'shelf', rule: 'add' } })).data.fields,
    ).toHaveProperty('shelfNo')
    const id = await open({ scope: 'shelf', shelfNo: 'K' })
    const late = await tenants.good(tenants.north, shop, { shelfNo: 'K02' })
    await tenants.must(count(wu, id, inside.upc, 1))
    await tenants.must(count(wu, id, late.upc, 2))
    expect((await count(wu, id, outside.upc, 1)).data.reason).toBe('stocktake_other_goods')
    expect((await count(wu, id, '6901028075831', 1)).data.reason).toBe('stocktake_unknown')
    expect((await count(wu, id, '', 1)).data.fields).toHaveProperty('goodId')
    const { data } = await tenants.call(wu, 'GET', '/api/shop/stocktake/detail', { query: { id } })
    expect([data.goods, data.counted]).toEqual([2, 2])
    await tenants.must(call(wu, 'cancel', { query: { id } }))
  })

  it(
    'is one at a time in a shop, also when two people open one at once, and ' + 'none of another boss’s business',
    async () => {
      const both = await Promise.all([
        call(wu, 'submit', { body: { shopId: shop, scope: 'all', rule: 'add' } }),
        call(zhou, 'submit', { body: { shopId: shop, scope: 'all', rule: 'add' } }),
      ])
      expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const { id } = both.find((answer) => answer.status === 200)!.data
      const stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
      for (const person of [stranger, tenants.south.admin]) {
        expect((await count(person, id, 'G1001', 1)).status).toBe(404)
        expect((await call(person, 'post', { body: { id } })).status).toBe(404)
        expect((await tenants.call(person, 'GET', '/api/shop/stocktake/preview', { query: { id } })).status).toBe(404)
      }
      expect((await call(wu, 'post', { body: { id } })).data.reason).toBe('stocktake_empty')
    },
  )
})
