import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createManualClock } from '#simulators/gateways/clock.ts'
import { startEle, STATUS, type EleSimulator } from '#simulators/ele/ele.simulator.ts'
import { callEle, type EleAccount } from './ele.client.ts'
import type { EleCommand, EleCommands } from './ele-wire.ts'
import { asciiJson, signEleMessage } from './sign.ts'

const clock = createManualClock()
const secret = 'secret of a test'
const source = '60001'
const shop = {
  shop_id: 'S-01',
  name: '一号店',
  phone: '057188880001',
  address: '文三路 1 号',
  categorys: [{ category1: '100', category2: '101' }],
}
let server: TestServer
let ele: EleSimulator
let account: EleAccount
let serial = 0

beforeAll(async () => {
  ;[server, ele] = await Promise.all([testServer({ now: () => new Date(clock.now()) }), startEle({ clock })])
  ele.world.accounts.set(source, { secret })
  account = { tenantId: '000000', appNo: source, secret, baseUrl: ele.url, mayBeInside: true }
})
beforeEach(() => Object.assign(ele, { mood: 'well', perSecond: 200 }))
afterAll(() => Promise.all([server.close(), ele.close()]))

const callCommand = <C extends EleCommand>(cmd: C, body: EleCommands[C][0], as: Partial<EleAccount> = {}) =>
  callEle(server.services, { ...account, ...as }, cmd, body)
const fault = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was taken'),
    (error: unknown) => error as VendorError,
  )
const opened = async () => {
  const shop_id = `S-${++serial}`
  const { baidu_shop_id } = await callCommand('shop.create', { ...shop, shop_id })
  clock.pass(ele.world.auditMs)
  await callCommand('shop.open', { shop_id })
  return { shop_id, baidu_shop_id: String(baidu_shop_id) }
}
const cola = {
  name: '可乐',
  custom_sku_id: 'G1',
  upc: '6900000000011',
  sale_price: 350,
  left_num: 20,
  status: 1 as const,
}

describe('who asks', () => {
  test('is heard with the right secret, and with another refused in the words of the platform', async () => {
    await expect(callCommand('common.businesscategories', {})).resolves.toMatchObject([{ category_id: '100' }, {}])
    const error = await fault(callCommand('common.businesscategories', {}, { secret: 'other' }))
    expect(error).toBeInstanceOf(VendorError)
    expect(error).toMatchObject({ code: '20114', message: '签名不匹配', isUndone: true, isRetryable: false })
  })

  test('is refused with an old time, and with a number that was used', async () => {
    const form = (more: object = {}) =>
      signEleMessage(
        {
          cmd: 'shop.list',
          timestamp: `${Math.floor(clock.now() / 1000)}`,
          version: '3',
          ticket: '6A1E7C3B-0F0D-4C64-9F51-0F3B1B8E2D10',
          source,
          encrypt: '',
          body: asciiJson({}),
          ...more,
        },
        secret,
      )
    const send = async (fields: Record<string, string>) => {
      const response = await fetch(ele.url, { method: 'POST', body: new URLSearchParams(fields) })
      return ((await response.json()) as { body: { error: string } }).body.error
    }
    expect(await send(form())).toBe('success')
    expect(await send(form())).toBe('ticket 重复')
    expect(await send(form({ cmd: 'shop.get' }))).toBe('ticket 重复')
    expect(await send(form({ timestamp: `${Math.floor(clock.now() / 1000) - 900}` }))).toBe('时间戳已过期')
    expect(await send({ ...form(), body: '{"a":1}' })).toBe('签名不匹配')
  })

  test('too often is told to come again, and nothing was done', async () => {
    clock.pass(1000)
    ele.perSecond = 1
    await callCommand('shop.list', {})
    expect(await fault(callCommand('shop.create', { ...shop, shop_id: 'S-often' }))).toMatchObject({
      isRetryable: true,
      isUndone: true,
    })
    expect([...ele.world.shops.values()].map((one) => one.shop_id)).not.toContain('S-often')
  })
})

describe('what did not go well', () => {
  test.each([
    ['down', { isRetryable: true, isUndone: false, httpStatus: 502 }],
    ['silent', { isRetryable: true, isUndone: false, code: 'no_answer' }],
    ['gate away', { isRetryable: true, isUndone: true }],
    ['gate timeout', { isRetryable: true, isUndone: false }],
    ['deaf after doing', { isRetryable: true, isUndone: false }],
  ] as const)('%s: what can have been understood is told apart from what cannot', async (mood, expected) => {
    ele.mood = mood
    expect(await fault(callCommand('shop.list', {}))).toMatchObject(expected)
  })

  test('no connection means that nothing left', async () => {
    expect(await fault(callCommand('shop.list', {}, { baseUrl: 'http://127.0.0.1:9/' }))).toMatchObject({
      isUndone: true,
    })
  })

  test('an address inside is not called for a tenant that wrote it itself', async () => {
    expect(await fault(callCommand('shop.list', {}, { mayBeInside: false }))).toMatchObject({ isUndone: true })
  })
})

describe('a shop', () => {
  test('is looked at by people there, and is let in or not by the clock', async () => {
    const [good, bad] = [
      await callCommand('shop.create', { ...shop, shop_id: 'S-good' }),
      await callCommand('shop.create', { ...shop, shop_id: 'S-bad', name: '驳回小店' }),
    ]
    const statusOf = async ({ baidu_shop_id }: { baidu_shop_id: string }) =>
      (await callCommand('shop.status.get', { baidu_shop_id })).sys_status
    expect([await statusOf(good), await statusOf(bad)]).toEqual([7, 7])
    expect(await fault(callCommand('shop.open', good))).toMatchObject({ isUndone: true, isRetryable: false })
    clock.pass(ele.world.auditMs)
    expect([await statusOf(good), await statusOf(bad)]).toEqual([6, 8])
    expect(await callCommand('shop.get', bad)).toMatchObject({ reject_reason: '门店名称不符合规范' })
    await callCommand('shop.update', { ...bad, name: '二号店' })
    clock.pass(ele.world.auditMs)
    expect(await statusOf(bad)).toBe(6)
    expect(await fault(callCommand('shop.create', { ...shop, shop_id: 'S-good' }))).toMatchObject({
      message: 'shop_id 已存在',
    })
  })

  test('has shelves and goods, whose prices and stock change together or not at all', async () => {
    const at = { shop_id: (await opened()).shop_id }
    const { category_id } = await callCommand('sku.shop.category.create', {
      ...at,
      parent_category_id: '0',
      name: '饮料',
    })
    await callCommand('sku.create', { ...at, ...cola, category_id: String(category_id) })
    await callCommand('sku.create', { ...at, ...cola, custom_sku_id: 'G2' })
    expect(await fault(callCommand('sku.create', { ...at, ...cola }))).toMatchObject({ isUndone: true })
    expect(await fault(callCommand('sku.delete', { ...at } as never))).toMatchObject({ code: '10208' })
    await callCommand('sku.price.update.batch', { ...at, custom_sku_id: 'G1:360;G2:370' })
    await fault(callCommand('sku.stock.update.batch', { ...at, custom_sku_id: 'G1:9;G2:100000' }))
    await fault(callCommand('sku.stock.update.batch', { ...at, custom_sku_id: 'G1:9;G3:1' }))
    await callCommand('sku.offline', { ...at, custom_sku_id: 'G2' })
    const { list, total } = await callCommand('sku.list', { ...at, page: 1, pagesize: 100 })
    expect(total).toBe(2)
    expect(list).toMatchObject([
      { custom_sku_id: 'G1', sale_price: 360, left_num: 20, status: 1 },
      { custom_sku_id: 'G2', sale_price: 370, left_num: 20, status: 0 },
    ])
    expect(
      await fault(callCommand('sku.shop.category.delete', { ...at, category_id: String(category_id) })),
    ).toBeDefined()
  })
})

describe('an order', () => {
  test('goes from state to state by itself once it is accepted, and cannot be accepted twice', async () => {
    const shopRef = await opened()
    await callCommand('sku.create', { shop_id: shopRef.shop_id, ...cola })
    const basket = { ...shopRef, lines: [{ custom_sku_id: 'G1', quantity: 2 }], shopDiscount: 50, platformDiscount: 30 }
    const { order_id } = ele.order(basket)
    const { order, products } = await callCommand('order.get', { order_id })
    expect(order).toMatchObject({ status: STATUS.placed, total_fee: 1300, user_fee: 1220, commission: 45 })
    expect(order.shop_fee).toBe(700 + 100 - 50 - 45)
    expect(products[0]).toMatchObject([{ custom_sku_id: 'G1', product_amount: 2, product_fee: 700 }])
    await callCommand('order.confirm', { order_id })
    expect(await fault(callCommand('order.confirm', { order_id }))).toMatchObject({ isUndone: true })
    clock.pass(ele.world.stepMs * 3)
    expect(await callCommand('order.status.get', { order_id })).toEqual({ status: STATUS.done })
  })

  test('nobody accepts is cancelled, and its goods are back on the shelf there', async () => {
    const shopRef = await opened()
    await callCommand('sku.create', { shop_id: shopRef.shop_id, ...cola })
    const { order_id } = ele.order({ ...shopRef, lines: [{ custom_sku_id: 'G1', quantity: 5 }] })
    expect((await callCommand('sku.list', shopRef)).list[0]).toMatchObject({ left_num: 15 })
    clock.pass(ele.world.acceptMs)
    expect(await callCommand('order.status.get', { order_id })).toEqual({ status: STATUS.cancelled })
    expect((await callCommand('sku.list', shopRef)).list[0]).toMatchObject({ left_num: 20 })
  })
})
