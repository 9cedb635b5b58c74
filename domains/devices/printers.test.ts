import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testStreet, type Street } from '#kit/testing/street.ts'

let street: Street
beforeAll(async () => {
  street = await testStreet()
})
afterAll(() => street.close())

const post = (path: string, body: object) =>
  street.call(street.north.admin, 'POST', `/api/shop/printerInfo/${path}`, { body })
const list = async () =>
  (await street.must(street.call(street.north.admin, 'GET', '/api/shop/printerInfo/list'))).records

describe('a printer', () => {
  it('is added by save alone, changed by submit alone, and never added by a change that names none', async () => {
    const draft = {
      name: '前台',
      shopId: street.north.shops[0],
      brand: 'feie',
      sn: 'P-1001',
      paperWidth: 58,
      usage: 'receipt',
      copies: 1,
    }
    expect(await post('submit', draft)).toMatchObject({ status: 400, data: { reason: 'missing_parameter' } })
    expect((await post('submit', { ...draft, id: '-1' })).status).toBe(400)
    expect(await list()).toEqual([])
    const { id } = await street.must(post('save', { ...draft, id: '77' }))
    await street.must(post('submit', { id, copies: 2 }))
    expect(await list()).toMatchObject([{ id, copies: 2 }])
  })
})
