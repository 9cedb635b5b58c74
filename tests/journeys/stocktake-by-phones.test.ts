import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawLabel } from '#tests/support/labels.ts'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

type Good = { id: string; upc: string; name: string; stock: number }

const FILM = { width: 640, height: 480 }
const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, permissions: ['camera'] }
let office: BrowserSession
let folder: string
let film: string
let lin: CastMember
let goods: Good[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'film-'))
  film = join(folder, 'film.y4m')
  // The browser opens the video when the camera starts; the product it shows is chosen later.
  office = await openBrowserSession({
    storyDays: 2,
    // The barcode reader must be allowed by the policy and come from the build.
    hasPolicy: true,
    flags: [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  })
  const { server } = office
  lin = await server.as('lin', { tenantId: '100001' })
  const shops = (await server.call(lin, 'GET', '/api/shop/basicShopInfo/query')).data as {
    id: string
    shopCode: string
  }[]
  const shopId = shops.find(({ shopCode }) => shopCode === 'S001')!.id
  goods = (
    await server.call(lin, 'GET', '/api/shop/goodInfo/list', {
      query: { shopId, stock_ge: 5, upc_likeright: '69', ascs: 'upc', size: 3 },
    })
  ).data.records
  await writeFile(film, filmOf((await drawLabel(goods[0]!.upc, 'EAN13'))[0]!))
})
afterAll(async () => {
  await office?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Makes a video of a label held before the camera. */
function filmOf(label: string): Buffer {
  const { width, height } = FILM
  const bars = `${'0'.repeat(12)}${label}${'0'.repeat(12)}`
  const scale = 3.6
  const left = (width - bars.length * scale) / 2
  const bright = Buffer.alloc(width * height, 120)
  for (let y = 130; y < 350; y++)
    for (let x = 0; x < width; x++) {
      const at = Math.floor((x - left) / scale)
      if (at >= 0 && at < bars.length) bright[y * width + x] = bars[at] === '1' ? 35 : 220
    }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), bright, Buffer.alloc((width * height) / 2, 128)])
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\n`),
    ...Array.from({ length: 10 }, () => frame),
  ])
}

const stockOf = async ({ id }: Good) =>
  (await office.server.call(lin, 'GET', '/api/shop/goodInfo/detail', { query: { id } })).data.stock as number
const counted = (page: Page, good: Good, pieces: number) =>
  page
    .locator('.kit-rows li', { hasText: good.name })
    .locator('> strong', { hasText: new RegExp(`^${pieces} 件$`) })
    .waitFor()

/** Types a barcode like a scanner, then the number of pieces. */
async function count(page: Page, good: Good, pieces: number) {
  await page.locator('.count-code input').fill(good.upc)
  await page.keyboard.press('Enter')
  await page.locator('.count-good').getByText(good.name).waitFor()
  await page.locator('.count-good input').fill(String(pieces))
  await page.keyboard.press('Enter')
  await page.getByText(`“${good.name}”共`).waitFor()
}

test(
  'a clerk begins a count from his home page, scans with the camera and types; the boss counts ' +
    'along on his own phone, sees both, and posts the differences once',
  async () => {
    const { call } = office.server
    // A shop has one stocktake at a time: ends the one left open.
    for (const { id } of (await call(lin, 'GET', '/api/shop/stocktake/list', { query: { status: 0 } })).data.records)
      await call(lin, 'POST', '/api/shop/stocktake/cancel', { query: { id } })
    const [scanned, both, theirs] = goods as [Good, Good, Good]
    const clerk = await office.signIn('100001', 'zhou', { ...PHONE, at: '/wel/index' })
    await clerk.page.getByRole('link', { name: '开始盘点' }).click()
    await clerk.page.getByRole('button', { name: '开始盘点' }).click()
    await clerk.page.waitForURL(/\/goods\/count\/\d+$/)
    const id = new URL(clerk.page.url()).pathname.split('/').at(-1)!

    // The label stays before the camera: one scan counts one piece until it is removed.
    await clerk.page.getByText('每扫一次加 1').click()
    await clerk.page.getByRole('button', { name: '相机扫码' }).click()
    await clerk.page.getByText(`“${scanned.name}”共 1`).waitFor()
    await clerk.page.getByRole('button', { name: '收起相机' }).click()
    await clerk.page.getByText('每扫一次加 1').click()
    await count(clerk.page, both, 2)

    const boss = await office.signIn('100001', 'lin', { ...PHONE, at: '/wel/index' })
    await boss.page.getByRole('link', { name: '开始盘点' }).click()
    await boss.page.locator('.count-page').getByRole('link', { name: '西溪湿地店' }).click()
    await counted(boss.page, scanned, 1)
    await count(boss.page, both, 1)
    await count(boss.page, theirs, theirs.stock)
    // Both found some of the same product in two places; the other phone updates by itself.
    await counted(clerk.page, both, 3)
    await counted(clerk.page, scanned, 1)

    await boss.page.getByText('差异与过账').click()
    await boss.page.getByRole('button', { name: /^过账/ }).click()
    // Asks once what happens to the stock; nothing changes until the answer.
    const question = boss.page.getByRole('dialog').filter({ hasText: '2 种商品的库存会改为盘点结果' })
    const lost = scanned.stock - 1 + both.stock - 3
    await question.getByText(new RegExp(`^盘亏 ${lost} 件，按进价 ¥[\\d,.]+$`)).waitFor()
    expect(await Promise.all(goods.map(stockOf))).toEqual(goods.map(({ stock }) => stock))
    await question.getByRole('button', { name: '过账' }).click()
    await clerk.page.getByText('已过账').first().waitFor()
    expect(await Promise.all(goods.map(stockOf))).toEqual([1, 3, theirs.stock])
    const { data } = await call(lin, 'GET', '/api/shop/stocktake/detail', { query: { id } })
    expect(data).toMatchObject({ status: 1, counted: 3 })
    // A posted stocktake accepts no counts.
    expect(
      (await call(lin, 'POST', '/api/shop/stocktake/count', { body: { id, upc: both.upc, quantity: 9, mode: 'set' } }))
        .success,
    ).toBe(false)
    expect([...clerk.complaints, ...boss.complaints]).toEqual([])
  },
)

test('a clerk looks goods up by a scan and writes off what is broken; without a reason nothing moves', async () => {
  const good = goods[2]!
  const before = await stockOf(good)
  const { page, complaints } = await office.signIn('100001', 'zhou', { ...PHONE, at: '/wel/index' })
  await page.getByRole('link', { name: '登记报损' }).click()
  await page.locator('.count-code input').fill(good.upc)
  await page.keyboard.press('Enter')
  const dialog = page.locator('.ant-modal')
  await dialog.getByLabel('报损数量').fill('1')
  await dialog.getByRole('button', { name: '报损' }).click()
  await dialog.getByText('请输入原因').waitFor()
  expect(await stockOf(good)).toBe(before)
  await dialog.getByLabel('原因').fill('包装破损')
  await dialog.getByRole('button', { name: '报损' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => stockOf(good)).toBe(before - 1)
  await page.locator('.goods-figures dd', { hasText: new RegExp(`^${before - 1} `) }).waitFor()
  expect(complaints).toEqual([])
})

test('a boss who adds goods reads the barcode by the camera, which is loaded when wanted and goes away', async () => {
  const { page, complaints } = await office.signIn('100001', 'lin', { ...PHONE, at: '/goods/goodInfo' })
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const barcode = page.locator('.kit-form').getByLabel(/^条码/)
  await barcode.waitFor()
  expect(urls.filter((url) => url.endsWith('.wasm'))).toEqual([])
  await page.locator('.kit-form').getByRole('button', { name: '相机扫码' }).click()
  await expect.poll(() => barcode.inputValue(), { timeout: 20_000 }).toBe(goods[0]!.upc)
  await page.locator('.goods-camera').waitFor({ state: 'detached' })
  await barcode.fill('6901028075832')
  await page.locator('.kit-drawer-foot .ant-btn-primary').click()
  await page.getByText('条码的校验位不对，末位应为1，请核对有没有输错').waitFor()
  expect(complaints).toEqual([])
})

test('a reader of barcodes that cannot be fetched says so, and is there when the camera is opened anew', async () => {
  const { page } = await office.signIn('100001', 'zhou', { ...PHONE, at: '/wel/index' })
  await page.getByRole('link', { name: '登记报损' }).click()
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('button', { name: '相机扫码' }).click()
  await page.getByRole('alert').getByText('扫码组件没有加载成功').waitFor()
  await page.unroute('**/*.wasm')
  await page.getByRole('button', { name: '收起相机' }).click()
  await page.getByRole('button', { name: '相机扫码' }).click()
  await page.locator('.ant-modal').getByText(goods[0]!.name).first().waitFor()
  expect(await page.getByText('扫码组件没有加载成功').count()).toBe(0)
})

test('who has one shop finds it chosen in a new count; who has several is asked which before it is sent', async () => {
  const begin = async (account: string) => {
    const { page, complaints, close } = await office.signIn('100001', account, { ...PHONE, at: '/goods/stocktake' })
    await page.getByRole('button', { name: '新增' }).tap()
    const form = page.locator('.kit-form')
    const shop = form.locator('.kit-field', { hasText: '门店' })
    await shop.waitFor()
    return { page, complaints, close, shop }
  }
  const clerk = await begin('zhou')
  await clerk.shop.getByText('西溪湿地店').waitFor()
  await clerk.close()
  const boss = await begin('lin')
  const sent: string[] = []
  boss.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await boss.shop.getByText('*').waitFor()
  await boss.page.locator('.kit-drawer-foot .ant-btn-primary').tap()
  await boss.shop.getByText('请选择门店').waitFor()
  expect(sent.filter((url) => url.includes('stocktake'))).toEqual([])
  expect([...clerk.complaints, ...boss.complaints]).toEqual([])
  await boss.close()
})
