import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CastMember } from '#tests/support/server.ts'
import { navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'

type Good = { id: string; upc: string; name: string; stock: number; shelfNo: string }
type Query = Record<string, string | number>

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
let office: BrowserSession
let wu: CastMember
let shopId: string

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
  wu = await office.server.as('wu', { tenantId: '100001' })
  const shops = (await office.server.call(wu, 'GET', '/api/shop/basicShopInfo/query')).data as Record<string, string>[]
  shopId = shops.find(({ shopCode }) => shopCode === 'S001')!.id!
})
afterAll(() => office?.close())

const list = async (path: string, query: Query) =>
  (await office.server.call(wu, 'GET', `${path}/list`, { query })).data as { records: any[]; total: number }
const stockOf = async (id: string) =>
  (await office.server.call(wu, 'GET', '/api/shop/goodInfo/detail', { query: { id } })).data.stock as number
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

async function openCount(covers: Record<string, string> = { scope: 'all' }) {
  const { call } = office.server
  for (const { id } of (await list('/api/shop/stocktake', { shopId, status: 0 })).records)
    await call(wu, 'POST', '/api/shop/stocktake/cancel', { query: { id } })
  return (await call(wu, 'POST', '/api/shop/stocktake/submit', { body: { shopId, rule: 'add', ...covers } })).data
    .id as string
}

/** Enters the count of the scanned product. */
async function sayHowMany(page: Page, { name }: Good, pieces: number) {
  await page.locator('.count-good').getByText(name).waitFor()
  await page.locator('.count-good input').fill(String(pieces))
  await page.keyboard.press('Enter')
  await page.getByText(`“${name}”共 ${pieces}`).waitFor()
}

test(
  'goods are counted by part of a name or the end of a barcode, chosen among those of the shop, and never before ' +
    'they are chosen; what was not counted yet is listed with what the books say, and counted from there',
  async () => {
    const id = await openCount()
    const stocked = (await list('/api/shop/goodInfo', { shopId, stock_ge: 3, size: 200, ascs: 'upc' }))
      .records as Good[]
    const [first, second] = stocked as [Good, Good]
    // Two letters that several products share, so that there are options.
    const part = stocked
      .flatMap(({ name }) => Array.from({ length: name.length - 1 }, (_, at) => name.slice(at, at + 2)))
      .find((two) => first.name.includes(two) && stocked.filter(({ name }) => name.includes(two)).length > 1)!
    const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: `/goods/count/${id}` })
    const box = page.locator('.count-code input')
    const isCounted = async ({ id: goodId }: Good) =>
      (await list('/api/shop/stocktakeLine', { stocktakeId: id, goodId, counted_notnull: '1' })).total > 0

    await page.getByText('每扫一次加 1').click()
    await box.fill(part)
    await page.keyboard.press('Enter')
    const choice = page.locator('.count-row', { hasText: first.upc })
    await choice.waitFor()
    expect(await isCounted(first)).toBe(false)
    await choice.tap()
    await page.getByText(`“${first.name}”共 1`).waitFor()
    await page.getByText('每扫一次加 1').click()

    await box.fill(second.upc.slice(-5))
    await page.keyboard.press('Enter')
    await page.locator('.count-row, .count-good').filter({ hasText: second.upc }).first().waitFor()
    if (!(await page.locator('.count-good').count())) await page.locator('.count-row', { hasText: second.upc }).tap()
    await sayHowMany(page, second, 2)

    await box.fill('没有这样的货')
    await page.keyboard.press('Enter')
    await page.getByText('没有找到“没有这样的货”').waitFor()

    const left = async () =>
      (await list('/api/shop/stocktakeLine', { stocktakeId: id, isUncounted: 'true', size: 1 })).total
    const before = await left()
    // Products with no stock are listed but need not be counted.
    await page.getByText(`已盘 2 / ${before + 2} 种`).waitFor()
    await page.getByText(`未盘 ${before}`).tap()
    await page.getByRole('heading', { name: `还有 ${before} 种有库存的商品没有盘到` }).waitFor()
    const third = stocked.find((good) => good !== first && good !== second)!
    await page.getByLabel('按名称或条码尾号查找').fill(third.upc.slice(-6))
    const row = page.locator('.kit-rows li', { hasText: third.upc })
    await row.getByText(`账面 ${third.stock} 件`).waitFor()
    await expect.poll(() => page.locator('.kit-rows li').count()).toBeLessThan(10)
    await row.getByRole('button').tap()
    await sayHowMany(page, third, third.stock)
    await row.waitFor({ state: 'detached' })
    await page.getByText(`未盘 ${before - 1}`).waitFor()
    expect(await fits(page)).toBe(true)
    expect(complaints).toEqual([])
    await close()
  },
)

test('a count of one shelf offers what stands there alone, and refuses what stands elsewhere in words', async () => {
  const goods = (await list('/api/shop/goodInfo', { shopId, size: 200, ascs: 'upc' })).records as Good[]
  const twos = ({ name }: Good) => Array.from({ length: name.length - 1 }, (_, at) => name.slice(at, at + 2))
  const isOn = (shelf: string) => (good: Good) => good.shelfNo?.startsWith(shelf)
  const [here, part] = goods
    .filter(({ shelfNo }) => shelfNo)
    .flatMap((good) => twos(good).map((two) => [good, two] as const))
    .find(([{ shelfNo }, two]) => {
      const named = goods.filter(({ name }) => name.includes(two))
      return named.filter(isOn(shelfNo)).length === 1 && named.length > 1
    })!
  const elsewhere = goods.find((good) => good.name.includes(part) && !isOn(here.shelfNo)(good))!
  const id = await openCount({ scope: 'shelf', shelfNo: here.shelfNo })
  const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: `/goods/count/${id}` })
  await page.locator('.count-code input').fill(part)
  await page.keyboard.press('Enter')
  await sayHowMany(page, here, 1)
  expect(await page.locator('.count-row', { hasText: elsewhere.upc }).count()).toBe(0)

  await page.locator('.count-code input').fill(elsewhere.upc)
  await page.keyboard.press('Enter')
  await sayHowManyIsRefused(page, elsewhere)
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
  await close()
})

async function sayHowManyIsRefused(page: Page, { name }: Good) {
  await page.locator('.count-good').getByText(name).waitFor()
  await page.locator('.count-good input').fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('这个商品不在本次盘点范围内').first().waitFor()
}

test('who counts goods in a second place is told what they counted before, and adds to it or changes it', async () => {
  const id = await openCount()
  const [good] = (await list('/api/shop/goodInfo', { shopId, stock_ge: 3, size: 1, ascs: 'upc' })).records as [Good]
  const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: `/goods/count/${id}` })
  const scan = async () => {
    await page.locator('.count-code input').fill(good.upc)
    await page.keyboard.press('Enter')
    await page.locator('.count-good').getByText(good.name).waitFor()
  }
  const say = async (pieces: number, button: string) => {
    await page.locator('.count-good input').fill(String(pieces))
    await page.locator('.count-good').getByRole('button', { name: button }).tap()
  }
  await scan()
  expect(await page.getByRole('button', { name: '再加' }).count()).toBe(0)
  await say(33, '记下')
  await page.getByText(`“${good.name}”共 33`).waitFor()
  await scan()
  await page.getByText('您数过，已盘 33 件').waitFor()
  await say(3, '再加')
  await page.getByText(`“${good.name}”共 36`).waitFor()
  await scan()
  await page.getByText('您数过，已盘 36 件').waitFor()
  await say(35, '改为')
  await page.getByText(`“${good.name}”共 35`).waitFor()
  // A negative number is no count.
  await scan()
  await page.locator('.count-good input').fill('-3')
  expect(await page.locator('.count-good').getByRole('button', { name: '改为' }).isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  const [line] = (await list('/api/shop/stocktakeLine', { stocktakeId: id, goodId: good.id })).records
  expect(line.counted).toBe(35)
  expect(complaints).toEqual([])
  await close()
})

test('what waited and is then refused is not taken for what is scanned next, which counts once', async () => {
  const id = await openCount()
  const [good] = (await list('/api/shop/goodInfo', { shopId, stock_ge: 3, size: 1, ascs: 'upc' })).records as [Good]
  const { page, close } = await office.signIn('100001', 'lin', { ...PHONE, at: `/goods/count/${id}` })
  const scan = async (upc: string) => {
    await page.locator('.count-code input').fill(upc)
    await page.keyboard.press('Enter')
  }
  await page.getByText('每扫一次加 1').click()
  await page.route('**/stocktake/count', (route) => route.abort())
  await scan('6901028075831')
  await page.getByText('1 条待发送').waitFor()
  await page.unroute('**/stocktake/count')
  await scan(good.upc)
  await page.getByText('本店没有条码为 6901028075831 的商品').waitFor()
  const counted = async () =>
    (await list('/api/shop/stocktakeLine', { stocktakeId: id, goodId: good.id })).records[0].counted
  await page.getByText('条待发送').waitFor({ state: 'detached' })
  await expect.poll(counted).toBe(1)
  await page.locator('.kit-rows li', { hasText: good.name }).getByText('1 件').waitFor()
  expect(await counted()).toBe(1)
  await close()
})

test('a count in which nothing was counted is ended from its own page, and no stock moves', async () => {
  const id = await openCount()
  const { page, complaints, close } = await office.signIn('100001', 'lin', {
    ...PHONE,
    at: `/goods/count/${id}?view=differences`,
  })
  await page.getByRole('button', { name: '不盘点，直接结束' }).tap()
  await page.getByRole('dialog').getByText('已点的数不会影响库存').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '作废' }).tap()
  await page.getByText('已作废').first().waitFor()
  expect((await list('/api/shop/storageLog', { refType: 'stocktake', refId: id })).total).toBe(0)
  expect(complaints).toEqual([])
  await close()
})

test('all that a count has posted stands on its page, however much that is', async () => {
  const { call } = office.server
  const id = await openCount()
  const goods = (await list('/api/shop/goodInfo', { shopId, stock_ge: 3, size: 12, ascs: 'upc' })).records as Good[]
  for (const good of goods)
    await call(wu, 'POST', '/api/shop/stocktake/count', {
      body: { id, goodId: good.id, quantity: good.stock - 1, mode: 'set' },
    })
  await call(wu, 'POST', '/api/shop/stocktake/post', { body: { id } })
  const { page, close } = await office.signIn('100001', 'lin', { ...PHONE, at: `/goods/count/${id}` })
  await page.getByText('过账结果').waitFor()
  await expect.poll(() => page.locator('.goods-part .kit-rows > li').count()).toBe(12)
  await close()
})

test('a batch is written off from its own row in three touches; more than is left of it is refused', async () => {
  const { records } = await list('/api/shop/storageBatch', { shopId, remaining_ge: 2, isOpen: 'false', size: 50 })
  const batch = records.find(({ batchNo }) => batchNo)
  const left = async () =>
    (await office.server.call(wu, 'GET', '/api/shop/storageBatch/detail', { query: { id: batch.id } })).data
      .remaining as number
  const before = await stockOf(batch.goodId)
  const { page, complaints, close } = await office.signIn('100001', 'lin', {
    ...PHONE,
    at: `/goods/storageBatch?batchNo=${batch.batchNo}`,
  })
  const card = page.locator(`[data-row-key="${batch.id}"]`)
  const dialog = page.locator('.ant-modal')
  await card.getByRole('button', { name: '报损' }).tap()
  await expect.poll(() => dialog.getByLabel('报损数量').inputValue()).toBe(String(batch.remaining))
  await dialog.getByText(batch.batchNo).first().waitFor()
  // Only the reason is missing, so it has the focus.
  await dialog.locator('textarea:focus, input:focus').waitFor()
  await page.keyboard.type('过期')
  await dialog.getByLabel('报损数量').fill(String(batch.remaining + 1))
  await dialog.getByRole('button', { name: '报损' }).tap()
  await dialog.getByText(`批次 ${batch.batchNo} 只剩 ${batch.remaining}，不能扣减 ${batch.remaining + 1}`).waitFor()
  expect([await left(), await stockOf(batch.goodId)]).toEqual([batch.remaining, before])
  await dialog.getByRole('button', { name: '取消' }).tap()
  await dialog.waitFor({ state: 'detached' })

  await card.getByRole('button', { name: '报损' }).tap()
  await dialog.locator('textarea:focus, input:focus').waitFor()
  await dialog.getByRole('button', { name: '过期' }).tap()
  expect(await dialog.getByLabel('原因').inputValue()).toBe('过期')
  await dialog.getByRole('button', { name: '报损' }).tap()
  await dialog.waitFor({ state: 'detached' })
  expect([await left(), await stockOf(batch.goodId)]).toEqual([0, before - batch.remaining])
  // Nothing is left to write off.
  await card.getByRole('button', { name: '报损' }).waitFor({ state: 'detached' })
  expect(await fits(page)).toBe(true)
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
  await close()
})

test('an order goes to one supplier alone, and what others are to bring stays in the cart', async () => {
  const { call } = office.server
  const offers = (await call(wu, 'GET', '/api/supplier/supplierCart/suggest', { query: { shopId, coverDays: 7 } }))
    .data as { supplierId: string; supplierName: string; supplierGoodsId: string; boxQty: number; minOrder: number }[]
  const [one, other] = [...new Map(offers.map((offer) => [offer.supplierId, offer])).values()] as [
    (typeof offers)[number],
    (typeof offers)[number],
  ]
  const enough = ({ boxQty, minOrder }: typeof one) => boxQty * Math.ceil(minOrder / boxQty)

  await call(wu, 'POST', '/api/supplier/supplierCart/fill', {
    body: {
      shopId,
      lines: [one, other].map((offer) => ({ supplierGoodsId: offer.supplierGoodsId, quantity: enough(offer) })),
    },
  })
  const orders = async ({ supplierId }: typeof one) =>
    (await list('/api/supplier/supplierOrder', { shopId, supplierId })).total
  const inCart = async ({ supplierId }: typeof one) =>
    (await list('/api/supplier/supplierCart', { shopId, supplierId })).total

  const before = [await orders(one), await orders(other)]
  const othersInCart = await inCart(other)
  expect([await inCart(one), othersInCart].every((lines) => lines > 0)).toBe(true)
  const { page, complaints, close } = await office.signIn('100001', 'wu', {
    ...PHONE,
    at: `/supplier/supplierCart?shopId=${shopId}`,
  })
  const group = (offer: typeof one) => page.locator('.supplier-group', { hasText: offer.supplierName })
  await group(one).getByRole('button', { name: '只订这家' }).tap()
  expect(await group(other).getByRole('checkbox').isChecked()).toBe(false)
  await page.locator('.supplier-foot').getByRole('button', { name: /^下单/ }).tap()

  const question = page.getByRole('dialog')
  await question.getByText(`${one.supplierName}：`).waitFor()
  expect(await question.getByText(other.supplierName).count()).toBe(0)
  await question.getByRole('button', { name: '下单' }).tap()
  await page.getByText('其余还没有下单').waitFor()
  expect([await orders(one), await orders(other)]).toEqual([before[0]! + 1, before[1]])
  expect([await inCart(one), await inCart(other)]).toEqual([0, othersInCart])

  // One product stays with its remainder, which is ordered next.
  await group(other).getByText('种').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/supplier/supplierCart')
  expect(await fits(page)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

test('pages end where their content ends, and calendars lie within the screen', async () => {
  const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: '/wel/index' })
  const height = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  for (const path of ['/wel/index', '/statistics/business']) {
    await page.goto(office.url + path)
    await page.locator('.kit-hidden table').first().waitFor({ state: 'attached' })
    expect([path, await height(), await fits(page)]).toEqual([path, 0, true])
  }
  const isWithin = async () => {
    const calendar = page.locator('.ant-picker-dropdown:visible')
    await calendar.locator('.ant-picker-cell-today').first().waitFor()
    const box = (await calendar.boundingBox())!
    return [box.x >= 0, box.y >= 0, box.x + box.width <= 375, box.y + box.height <= 812, await fits(page)]
  }
  const all = [true, true, true, true, true]
  await page.goto(`${office.url}/shop/blackList`)
  await page.getByRole('button', { name: '新增' }).first().tap()
  await page.locator('.kit-form .ant-picker input').first().tap()
  expect(await isWithin()).toEqual(all)
  // A list of products has no date filter; that of the ledger has one and shows it.
  await page.goto(`${office.url}/goods/goodInfo`)
  await page.locator('.kit-list-row[data-row-key]').first().waitFor()
  expect(await page.locator('.kit-chip').count()).toBe(0)
  await page.goto(`${office.url}/goods/storageLog`)
  await page.locator('.kit-chip', { hasText: '创建时间' }).tap()
  const sheet = page.getByRole('dialog', { name: '创建时间' })
  await sheet.getByRole('button', { name: '上月' }).waitFor()
  expect(await fits(page)).toBe(true)
  expect((await sheet.boundingBox())!.height).toBeLessThan(812 * 0.9)
  expect(complaints).toEqual([])
  await close()
})

test('a barcode fills in what the library knows, sends nothing by Enter, and keeps what was typed', async () => {
  const upc = '6910000003007'
  const known = (await office.server.call(wu, 'GET', '/api/shop/barcodes/find', { query: { upc } })).data
  const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: '/goods/goodInfo' })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.getByRole('button', { name: '新增' }).first().tap()
  const form = page.locator('.kit-form')
  await form.getByLabel('规格').fill('我写的')
  const code = form.locator('.goods-barcode input')
  // Pasted with a blank and full-width digits.
  await code.fill(` ${upc.replace(/7$/, '７')}`)
  await code.press('Enter')
  await expect.poll(() => form.getByLabel('商品名称').inputValue()).toBe(known.name)
  expect([await code.inputValue(), await form.getByLabel('规格').inputValue()]).toEqual([upc, '我写的'])
  expect(await form.locator('.kit-error').count()).toBe(0)
  expect(sent.filter((url) => url.includes('goodInfo'))).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('a touch beside an action’s dialog closes it while nothing is typed; what was typed is asked about', async () => {
  const { page, close } = await office.signIn('100001', 'lin', { ...PHONE, at: '/member/balanceLog' })
  const dialog = page.locator('.ant-modal', { hasText: '增减金额' })
  const tapOutside = () => page.touchscreen.tap(187, 790)
  const adjust = async () => {
    await page.locator('.kit-phone-head').getByRole('button', { name: '更多' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: '调整余额' }).tap()
  }
  await adjust()
  await dialog.waitFor()
  await tapOutside()
  await dialog.waitFor({ state: 'hidden' })
  await adjust()
  await dialog.getByLabel('原因').fill('补差价')
  await tapOutside()
  expect(await dialog.getByLabel('原因').inputValue()).toBe('补差价')
  await dialog.locator('.ant-modal-close').tap()
  await page.getByText('尚未保存：原因').waitFor()
  await page.getByRole('button', { name: '继续编辑' }).tap()
  await page.getByText('尚未保存：原因').waitFor({ state: 'hidden' })
  expect(await dialog.getByLabel('原因').inputValue()).toBe('补差价')
  await dialog.locator('.ant-modal-close').tap()
  await page.getByRole('button', { name: '放弃修改' }).tap()
  await dialog.waitFor({ state: 'hidden' })
  await close()
})

test('who changes what a customer has sees what that is, and a touch beside the form loses nothing of it', async () => {
  const [customer] = (await list('/api/shop/wxUser', { balance_gt: 0, size: 1 })).records
  const { page, complaints, close } = await office.signIn('100001', 'wu', {
    ...PHONE,
    at: `/shop/wxUser/${customer.id}`,
  })
  await page.locator('.member-actions').getByRole('button', { name: '更多' }).tap()
  await page.getByRole('menuitem', { name: '调整余额' }).tap()
  const dialog = page.locator('.ant-modal', { hasText: '增减金额' })
  await dialog.getByText(`¥${customer.balance}`).waitFor()
  await dialog.getByText(`积分 ${customer.integral}`).waitFor()
  await dialog.getByLabel('原因').fill('补差价')
  await page.touchscreen.tap(187, 790)
  expect(await dialog.getByLabel('原因').inputValue()).toBe('补差价')
  expect(complaints).toEqual([])
  await close()
})

test('the last day of a campaign belongs to it, and its first day from its beginning', async () => {
  const { page, complaints, close } = await office.signIn('100001', 'wu', { ...PHONE, at: '/marketing/discountConf' })
  await page.getByRole('button', { name: '新增' }).first().tap()
  const form = page.locator('.ant-drawer-open')
  for (const [label, time] of [
    ['开始时间', '00:00:00'],
    ['结束时间', '23:59:59'],
  ] as const) {
    await form.getByLabel(label).tap()
    const calendar = page.locator('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)')
    await calendar.locator('.ant-picker-header-next-btn').tap()
    await calendar.locator('.ant-picker-cell-in-view', { hasText: /^20$/ }).tap()
    await calendar.locator('.ant-picker-ok button').tap()
    await expect.poll(() => form.getByLabel(label).inputValue()).toContain(`-20 ${time}`)
  }
  expect(complaints).toEqual([])
  await close()
})

test('a ticket is given from the page of its customer, and what became of it is said', async () => {
  const [customer] = (await list('/api/shop/wxUser', { balance_gt: 0, size: 1 })).records
  const { id } = (
    await office.server.call(wu, 'POST', '/api/shop/discountTicket/submit', {
      body: { name: '夜猫五元券', type: 'amount', amount: '5.00', validDays: 7, perUser: 1 },
    })
  ).data as { id: string }
  const held = async () =>
    (await list('/api/shop/customerTicket', { ticketId: id, wxUserId: customer.id, size: 1 })).total
  const at = `/shop/wxUser/${customer.id}`
  const { page, complaints, close } = await office.signIn('100001', 'wu', { ...PHONE, at })
  const dialog = page.locator('.ant-modal', { hasText: '发优惠券' })
  const give = async () => {
    await page.locator('.member-actions').getByRole('button', { name: '更多' }).tap()
    await page.getByRole('menuitem', { name: '发优惠券' }).tap()
    await dialog.getByLabel('优惠券').fill('夜猫五元')
    await page.locator('.ant-select-item-option', { hasText: '夜猫五元券' }).tap()
    await dialog.getByRole('button', { name: '发优惠券' }).tap()
  }
  await give()
  await page.getByText('已发放 1 张').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await give()
  await page.getByText('没有发出：1 位顾客').first().waitFor()
  expect(await held()).toBe(1)
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
  await close()
})

test('the way back closes what lies on the page, asks where something was typed, and only then leaves it', async () => {
  const { page, complaints, close } = await office.signIn('100001', 'lin', { ...PHONE, at: '/wel/index' })
  const tools = await page.context().newCDPSession(page)
  // As the browser's back button: the page may prevent leaving.
  const back = async () => {
    const { currentIndex, entries } = await tools.send('Page.getNavigationHistory')
    await tools.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]!.id })
  }
  await navigateWithin(page, '/goods/goodInfo')
  await page.getByRole('button', { name: '新增' }).first().tap()
  const form = page.locator('.ant-drawer-open')
  await form.getByLabel('名称').fill('夜猫汽水')
  await back()
  await page.getByText('离开前要放弃修改吗？').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/goods/goodInfo')
  // The dialog closes too, and the typed text is still there.
  await page.locator('.ant-modal').getByRole('button', { name: '继续编辑' }).tap()
  expect(await form.getByLabel('名称').inputValue()).toBe('夜猫汽水')
  await form.getByLabel('名称').fill('')
  await back()
  await form.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/goods/goodInfo')
  await back()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/wel/index')
  expect(complaints).toEqual([])
  await close()
})
