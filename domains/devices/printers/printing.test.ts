import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { findCommandDefinition, type DeviceCommand } from '#domains/devices/device-messaging/api.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import { printerAccounts, startPrinterMakers } from '#simulators/printers/printers.simulator.ts'
import { printAccount } from './print-account.resource.ts'
import { printCall } from './print.job.ts'
import { printJob } from './print-job.resource.ts'
import { checkTenantPrintersJob } from './printer-status.job.ts'
import { syncPrinterWithVendorJob } from './printer-info.server.ts'

const MAKERS = ['feie', 'yilianyun', 'xpyun'] as const
type MakerName = (typeof MAKERS)[number]

let tenants: TestTenants
let makers: Awaited<ReturnType<typeof startPrinterMakers>>
let tenantId: string
const accounts: Record<string, string> = {}
let clockOffsetMs = 0

beforeAll(async () => {
  ;[tenants, makers] = await Promise.all([
    createTestTenants({ now: () => new Date(Date.now() + clockOffsetMs) }),
    startPrinterMakers(),
  ])
  tenantId = tenants.north.tenantId
  const platform = await tenants.server.as('admin')
  for (const brand of MAKERS) {
    const { user, secret } = printerAccounts[brand]
    const body = {
      tenantId,
      name: brand,
      brand,
      user,
      secretKey: secret,
      endpoint: makers.endpointOf(brand),
      callbackOn: true,
      ...(brand === 'feie' ? { callbackKey: makers.callbackKey } : {}),
    }
    accounts[brand] = (await tenants.must(tenants.call(platform, 'POST', '/api/shop/printAccount/submit', { body }))).id
  }
})
beforeEach(() => {
  makers.mood = 'well'
  clockOffsetMs = 0
})
afterAll(() => Promise.all([tenants.close(), makers.close()]))

const post = (path: string, body: object, query = {}) =>
  tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body, query })
const inTenant = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const contextOf = () => ({
  tenantId,
  services: tenants.services,
  signal: AbortSignal.timeout(9000),
  jobId: '1',
  attempt: 1,
})

let made = 0
const draftOf = (brand: string, more = {}) => ({
  name: `前台${++made}`,
  shopId: tenants.north.shops[0],
  brand,
  sn: String(316_000_000 + made),
  printKey: 'abcd1234',
  paperWidth: 58,
  usage: 'receipt',
  copies: 1,
  ...more,
})
const printer = async (brand: string, more = {}) => {
  const draft = draftOf(brand, more)
  const { id } = await tenants.must(post('printerInfo/save', draft))
  return { ...draft, id: id as string }
}
const atMaker = (brand: MakerName, sn: string) => makers.makers.printers.get(`${brand}/${sn}`)
/** Requests a test page that is not sent yet. */
const wanted = async (id: string): Promise<string> =>
  (await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/printerInfo/testPrint', { query: { id } })))
    .id
const jobOf = async (id: string) => (await inTenant((db) => db.get(printJob, id)))!
const sent = async (id: string) => {
  await printCall.sendJob.run({ id }, contextOf()).catch(() => undefined)
  return (await jobOf(id)).state as string
}
const stateAfterCheck = async (id: string) => {
  await printCall.checkJob!.run({ id }, contextOf())
  return (await jobOf(id)).state as string
}
const ticketsOf = (sn: string) => makers.makers.tickets.filter((one) => one.sn === sn)
const rows = async () =>
  (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/printerInfo/list'))).records

describe('a printer', () => {
  it('is added by save alone, changed by submit alone, and never added by a change that names none', async () => {
    const draft = draftOf('feie')
    expect(await post('printerInfo/submit', draft)).toMatchObject({
      status: 400,
      data: { reason: 'missing_parameter' },
    })
    expect((await post('printerInfo/submit', { ...draft, id: '-1' })).status).toBe(400)
    expect(await rows()).toEqual([])
    const { id } = await tenants.must(post('printerInfo/save', { ...draft, id: '77' }))
    await tenants.must(post('printerInfo/submit', { id, copies: 2 }))
    expect(await rows()).toMatchObject([{ id, copies: 2 }])
  })

  it.each(MAKERS)('is known to %s once it is saved, and forgotten there once it is removed', async (brand) => {
    const { id, sn, name } = await printer(brand)
    expect(atMaker(brand, sn)).toMatchObject({ name })
    await tenants.must(post('printerInfo/submit', { id, name: '后门' }))
    await syncPrinterWithVendorJob.run({ brand, sn, operation: 'rename' }, contextOf())
    // Yilianyun cannot rename a printer, so it keeps its name there.
    expect(atMaker(brand, sn)).toMatchObject({ name: brand === 'yilianyun' ? name : '后门' })
    await tenants.must(post('printerInfo/remove', {}, { ids: id }))
    await syncPrinterWithVendorJob.run({ brand, sn, operation: 'remove' }, contextOf())
    expect(atMaker(brand, sn)).toBeUndefined()
  })

  it.each(MAKERS)('is not kept when %s refuses it or does not answer, and the maker is quoted', async (brand) => {
    const before = await rows()
    const foreign = draftOf(brand)
    makers.makers.foreign.add(foreign.sn)
    const refused = await post('printerInfo/save', foreign)
    expect(refused).toMatchObject({ status: 400, data: { reason: 'printer_refused' } })
    expect(refused.body.msg).toMatch(/已被添加过|10 没有权限|1011/)
    makers.mood = 'silent'
    expect((await post('printerInfo/save', draftOf(brand))).data.reason).toBe('printer_maker_silent')
    expect(await rows()).toEqual(before)
  })

  it('that a killed process left at its maker alone is taken as ours when it is added again', async () => {
    for (const brand of MAKERS) {
      const draft = draftOf(brand)
      makers.mood = 'deaf after taking'
      expect((await post('printerInfo/save', draft)).data.reason).toBe('printer_maker_silent')
      makers.mood = 'well'
      expect((await post('printerInfo/save', draft)).status).toBe(200)
    }
  })

  it('of a maker the tenant has no account at is refused with where to add one', async () => {
    const body = { ...draftOf('feie'), shopId: tenants.south.shops[0] }
    const refused = await tenants.call(tenants.south.admin, 'POST', '/api/shop/printerInfo/save', { body })
    expect(refused.data.reason).toBe('print_account_missing')
  })

  it('removed and added again meanwhile stays at its maker', async () => {
    const { sn } = await printer('feie')
    await syncPrinterWithVendorJob.run({ brand: 'feie', sn, operation: 'remove' }, contextOf())
    expect(atMaker('feie', sn)).toBeDefined()
  })
})

describe('a print job', () => {
  it.each(MAKERS)('goes to %s once and says printed when the maker does', async (brand) => {
    const { id: printerId, sn } = await printer(brand)
    const id = await wanted(printerId)
    expect(await sent(id)).toBe('sent')
    expect(await sent(id)).toBe('sent')
    expect(await stateAfterCheck(id)).toBe('printed')
    expect(ticketsOf(sn)).toHaveLength(1)
    expect(ticketsOf(sn)[0]!.content).toContain('测试页')
  })

  it.each(['feie', 'xpyun'] as const)(
    'that %s did not answer is not confirmed and not sent again by itself',
    async (brand) => {
      const { id: printerId, sn } = await printer(brand)
      const id = await wanted(printerId)
      makers.mood = 'deaf after taking'
      expect(await sent(id)).toBe('unconfirmed')
      makers.mood = 'well'
      expect(await sent(id)).toBe('unconfirmed')
      expect(ticketsOf(sn)).toHaveLength(1)
      const { body } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/printJob/detail', {
        query: { id },
        lang: 'en',
      })
      expect(body.data.reason).toMatch(/may have been printed/)
      const again = await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/printJob/reprint', { query: { id } }),
      )
      expect(await sent(again.id)).toBe('sent')
      expect((await jobOf(again.id)).reprintOf).toBe(id)
      expect(ticketsOf(sn)).toHaveLength(2)
    },
  )

  it.each(['feie', 'xpyun'] as const)(
    'whose sender was killed between row and answer is not confirmed (%s)',
    async (brand) => {
      const { id: printerId, sn } = await printer(brand)
      const id = await wanted(printerId)
      await inTenant((db) => db.update(printJob, id, { state: 'sending' }))
      expect(await sent(id)).toBe('unconfirmed')
      expect(ticketsOf(sn)).toHaveLength(0)
    },
  )

  it('is asked of Yilianyun again under its number, through a bad line and a kill, and printed once', async () => {
    const { id: printerId, sn } = await printer('yilianyun')
    const id = await wanted(printerId)
    makers.mood = 'deaf after taking'
    expect(await sent(id)).toBe('sending')
    makers.mood = 'well'
    expect(await sent(id)).toBe('sent')
    expect(ticketsOf(sn)).toHaveLength(1)
    expect(await stateAfterCheck(id)).toBe('printed')
  })

  it('that never left is tried again, until it is worth nothing any more', async () => {
    const { id: printerId } = await printer('feie')
    const id = await wanted(printerId)
    await inTenant((db) => db.run(sql`update print_account set endpoint = 'http://127.0.0.1:9' where brand = 'feie'`))
    expect(await sent(id)).toBe('queued')
    clockOffsetMs = 61 * 60_000
    expect(await sent(id)).toBe('expired')
    await inTenant((db) =>
      db.run(sql`update print_account set endpoint = ${makers.endpointOf('feie')} where brand = 'feie'`),
    )
  })

  it('the maker refuses fails with its words', async () => {
    const { id: printerId, sn } = await printer('xpyun')
    makers.makers.printers.delete(`xpyun/${sn}`)
    const id = await wanted(printerId)
    expect(await sent(id)).toBe('failed')
    expect((await jobOf(id)).reason).toBe('1002 PRINTER_NOT_REGISTER')
  })

  it('with a wrong signature fails instead of waiting', async () => {
    const { id: printerId } = await printer('feie')
    const id = await wanted(printerId)
    makers.mood = 'wrong sign'
    expect(await sent(id)).toBe('failed')
    expect((await jobOf(id)).reason).toMatch(/sig/)
  })

  it('waits for paper, and expires at a maker that would print it later all the same', async () => {
    const { id: printerId, sn } = await printer('yilianyun')
    makers.set('yilianyun', sn, 'noPaper')
    const id = await wanted(printerId)
    expect(await sent(id)).toBe('sent')
    expect(await stateAfterCheck(id)).toBe('sent')
    clockOffsetMs = 61 * 60_000
    expect(await stateAfterCheck(id)).toBe('expired')
    makers.set('yilianyun', sn, 'ready')
    expect(ticketsOf(sn).map(({ state }) => state)).toEqual(['gone'])
  })

  it('signs in at Yilianyun once for all of them, also after a start', async () => {
    const before = makers.makers.tokensGiven
    for (let n = 0; n < 3; n++) await printer('yilianyun')
    expect(makers.makers.tokensGiven).toBe(before)
    const row = await inTenant((db) => db.get(printAccount, accounts.yilianyun!))
    expect(row?.accessToken).toMatch(/^sealed2:/)
    makers.makers.tokens.clear()
    await printer('yilianyun')
    expect(makers.makers.tokensGiven).toBe(before + 1)
  })
})

describe('a report of a maker', () => {
  const report = (brand: MakerName, fields: Record<string, string>) =>
    tenants.call(undefined, 'POST', '/api/shop/printJob/report', {
      query: { account: `${tenantId}-${accounts[brand]}` },
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const waiting = (id: string) =>
    tenants.services.systemPool
      .query(`select count(*)::int as n from job where queue = 'print.ask' and dedupe_key = $1 and run_at <= now()`, [
        id,
      ])
      .then(({ rows: [row] }) => row.n as number)

  it.each(MAKERS)('of %s is kept once however often it comes, and believed only when signed', async (brand) => {
    const { id: printerId, sn } = await printer(brand)
    const id = await wanted(printerId)
    await sent(id)
    const fields = makers.reportOf(ticketsOf(sn)[0]!)
    expect((await report(brand, { ...fields, sign: 'Zm9yZ2Vk' })).status).toBe(403)
    expect((await report(brand, { ...fields, sign: '' })).status).toBe(403)
    // As many characters as a valid signature, but more bytes.
    expect((await report(brand, { ...fields, sign: 'é'.repeat(fields.sign!.length) })).status).toBe(403)
    expect(await waiting(id)).toBe(0)
    for (let n = 0; n < 2; n++) expect((await report(brand, fields)).status).toBe(200)
    expect(await waiting(id)).toBe(1)
    await printCall.checkJob!.run({ id }, contextOf())
    expect((await jobOf(id)).state).toBe('printed')
    expect(comparedAnswers(tenants.server.http)).toContain('POST /api/shop/printJob/report')
  })

  it('about an account there is not, or of another tenant, is refused', async () => {
    for (const account of ['', '100001', `100002-${accounts.feie}`, `${tenantId}-1`, "100001-1' or 1=1"]) {
      const answer = await tenants.call(undefined, 'POST', '/api/shop/printJob/report', {
        query: { account },
        body: {},
      })
      expect(answer.status).toBe(403)
    }
  })
})

describe('how printers stand', () => {
  const eventsOf = async (shopId: string) =>
    (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/event/list', { query: { shopId } })))
      .records

  it('is asked of all makers; what changes is an event of the shop, and its end', async () => {
    const shopId = tenants.north.shops[1]!
    const own: Awaited<ReturnType<typeof printer>>[] = []
    for (const brand of MAKERS) own.push(await printer(brand, { shopId }))
    await checkTenantPrintersJob.run({}, contextOf())
    const statusOf = async () =>
      (await rows())
        .filter((one: any) => own.some(({ id }) => id === one.id))
        .map((one: any) => [one.brand, one.status])
        .toSorted((a: string[], b: string[]) => a[0]!.localeCompare(b[0]!))
    expect(await statusOf()).toEqual([
      ['feie', 1],
      ['xpyun', 1],
      ['yilianyun', 1],
    ])
    for (const { brand, sn } of own) makers.set(brand as MakerName, sn, 'noPaper')
    await checkTenantPrintersJob.run({}, contextOf())
    await checkTenantPrintersJob.run({}, contextOf())
    expect(await statusOf()).toEqual([
      ['feie', 2],
      ['xpyun', 2],
      ['yilianyun', 3],
    ])
    const open = await eventsOf(shopId)
    expect(open).toHaveLength(3)
    expect(open.every((one: any) => one.type === 'paperOut' && one.status === 0 && one.count === 1)).toBe(true)
    for (const { brand, sn } of own) makers.set(brand as MakerName, sn, 'ready')
    await checkTenantPrintersJob.run({}, contextOf())
    expect((await eventsOf(shopId)).map((one: any) => one.status)).toEqual([2, 2, 2])
  })

  it('stays as it was known while a maker does not answer', async () => {
    const { id } = await printer('feie')
    await checkTenantPrintersJob.run({}, contextOf())
    makers.mood = 'silent'
    await checkTenantPrintersJob.run({}, contextOf())
    expect((await rows()).find((one: any) => one.id === id).status).toBe(1)
  })
})

describe('a printer beside the gateway', () => {
  let local: { id: string; sn: string }
  beforeAll(async () => {
    local = await printer('escpos', { printKey: undefined, sn: 'COM1-58' })
  })
  const commandsOf = (id: string) => inTenant((db) => db.find(deviceCommand, sql`r.ask_key = ${`print/${id}`}`))
  const given = async () => {
    const id = await wanted(local.id)
    expect(await sent(id)).toBe('sent')
    return { id, command: (await commandsOf(id))[0]! }
  }
  /** Ends the command as the device-messaging module would. */
  const ended = (command: DeviceCommand, end: Partial<DeviceCommand>) =>
    inTenant((db) => findCommandDefinition('print.raw')!.ended!(db, { ...command, ...end }, tenants.services))
  const statusOf = async () => (await rows()).find((one: any) => one.id === local.id).status

  it('is not reached in a shop without a gateway, which the job says', async () => {
    const id = await wanted(local.id)
    expect(await sent(id)).toBe('failed')
    expect((await jobOf(id)).reason).toMatch(/网关/)
  })

  it('is given its bytes once through the gateway, and the job ends as the gateway says', async () => {
    const body = { id: tenants.north.shops[0], clientId: 'GW-north-1' }
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
    const { id, command } = await given()
    const { data, ...params } = command.params as { data: string }
    expect(params).toEqual({ printer: 'COM1-58', jobId: id })
    const bytes = Buffer.from(data, 'base64')
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1b, 0x40]))
    expect(bytes.includes(Buffer.from('b2e2cad4d2b3', 'hex'))).toBe(true)
    expect(await sent(id)).toBe('sent')
    expect(await commandsOf(id)).toHaveLength(1)
    await ended(command, { state: 'done', result: { state: 'printed' } })
    expect((await jobOf(id)).state).toBe('printed')
    expect(await statusOf()).toBe(1)
  })

  it('that is out of paper fails the job and says so to the shop, until it prints again', async () => {
    const { id, command } = await given()
    await ended(command, { state: 'done', result: { state: 'paperOut' } })
    expect(await jobOf(id)).toMatchObject({ state: 'failed', reason: '打印机缺纸' })
    expect(await statusOf()).toBe(3)
    await ended((await given()).command, { state: 'done', result: { state: 'printed' } })
    expect(await statusOf()).toBe(1)
  })

  it('whose gateway is replaced while it waits fails the job, which says so', async () => {
    const { id, command } = await given()
    await ended(command, { state: 'canceled' })
    expect(await jobOf(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('网关已更换') })
  })

  it('whose gateway falls silent leaves the job not confirmed, until it is heard that it was printed', async () => {
    const { id, command } = await given()
    await ended(command, { state: 'unknown' })
    expect((await jobOf(id)).state).toBe('unconfirmed')
    await ended(command, { state: 'done', result: { state: 'printed' } })
    expect((await jobOf(id)).state).toBe('printed')
  })
})

describe('what is printed', () => {
  const jobs = async (query: object) =>
    (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/printJob/list', { query: { ...query } })))
      .records
  const due = () => tenants.server.jobs.runDue()
  const soldIn = async (shopId: string) => {
    const good = await tenants.good(tenants.north, shopId, { name: '可乐<CUT>330ml', salePrice: '3.50' })
    const order = await inTenant((db) =>
      placeOrder(db, {
        shopId,
        source: 'register',
        type: 'store',
        payType: 'cash',
        payTime: formatShanghaiTime(tenants.services.now()),
        goodsAmount: 700,
        payAmount: 700,
        lines: [
          { goodId: good.id, upc: good.upc, name: '可乐<CUT>330ml', price: 350, quantity: 2, discount: 0, amount: 700 },
        ],
      } as never),
    )
    return { good, order }
  }

  it('of an order that was paid is its receipt, by itself and once, where a printer of the shop does so', async () => {
    const [shopId, other] = tenants.north.shops as [string, string]
    const { sn } = await printer('xpyun', { autoPrint: true })
    const { order } = await soldIn(shopId)
    const { order: elsewhere } = await soldIn(other)
    await due()
    await due()
    expect(await jobs({ orderId: elsewhere.id })).toEqual([])
    const own = await jobs({ orderId: order.id })
    expect(own).toMatchObject([{ kind: 'receipt', state: 'sent' }])
    const [ticket] = ticketsOf(sn)
    expect(ticket!.content).toContain('可乐＜CUT＞330ml')
    expect(ticket!.content).toContain('￥7.00')
    expect(ticket!.content.match(/<CUT>/g)).toHaveLength(1)
  })

  it('by hand is a receipt on the printer that was chosen, or on the first of the shop', async () => {
    const { order } = await soldIn(tenants.north.shops[1]!)
    const chosen = await printer('feie', { shopId: tenants.north.shops[1], paperWidth: 80 })
    const print = (body: object) => post('shoppingOrder/printReceipt', body, { id: order.id })
    await tenants.must(print({ printerId: chosen.id }))
    await tenants.must(print({}))
    await due()
    expect(ticketsOf(chosen.sn)[0]!.content).toContain('-'.repeat(48))
    expect(await jobs({ orderId: order.id })).toHaveLength(2)
    const southern = await tenants.call(tenants.south.admin, 'POST', '/api/shop/shoppingOrder/printReceipt', {
      query: { id: order.id },
    })
    expect(southern.status).toBe(404)
  })

  it('of chosen goods is a label or a shelf card each, and nothing at all when one has no printer', async () => {
    const [here, otherShop] = tenants.north.shops as [string, string]
    const label = await printer('feie', { usage: 'label', labelSize: '40x30' })
    const goods = [await tenants.good(tenants.north, here), await tenants.good(tenants.north, here)]
    const ids = goods.map(({ id }) => id).join()
    await tenants.must(post('goodInfo/printLabels', { kind: 'label', copies: 3 }, { ids }))
    await due()
    expect(ticketsOf(label.sn).map(({ isLabel, copies }) => [isLabel, copies])).toEqual([
      [true, 3],
      [true, 3],
    ])
    expect(ticketsOf(label.sn)[0]!.content).toMatch(/<BC128 [^>]*>G\d+<\/BC128>/)
    const foreign = await tenants.good(tenants.north, otherShop)
    const before = (await jobs({})).length
    const refused = await post('goodInfo/printLabels', { kind: 'shelfCard' }, { ids: `${ids},${foreign.id}` })
    expect(refused.data.reason).toBe('no_printer')
    expect((await jobs({})).length).toBe(before)
    await tenants.must(post('goodInfo/printLabels', { kind: 'shelfCard', printerId: label.id }, { ids: foreign.id }))
  })
})
