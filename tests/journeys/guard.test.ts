import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import type { CastMember } from '#tests/support/server.ts'
import { raiseEvent, resolveEvents, type RaiseEventInput } from '#domains/shops/shop-events/api.ts'
import { durationText } from '#domains/shops/incidents/index.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

// One person and fifty shops: thirty events, an hour's worth, arrive in seconds and are handled with keys only.

const tenantId = '100001'
const clientId = 'GW-100001-S001'
const SHOPS = 50
const EVENTS = 30
/** Interval between the events of two shops. */
const INTERVAL_MS = 250
const WAIT = { timeout: 20_000 }
let office: BrowserSession
let wu: CastMember
let gateway: ReturnType<typeof testGateway>
let shops: string[] = []

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
  wu = await office.server.as('wu', { tenantId })
  gateway = testGateway(office.server.services, { tenantId, clientId })
  await gateway.say('online', { online: true, connId: 'c1' })
  await gateway.say('hello', { connId: 'c1', bootId: 'b1', fw: '1.0.0' })
  for (let n = 6; n <= SHOPS; n++)
    await call('POST', 'basicShopInfo/submit', { body: { shopName: `夜巡${n}号店`, shopCode: `W${n}` } })
  // Closed shops report no silence, so that only this test's events arrive.
  await rows(sql`update basic_shop_info set status = 2 where tenant_id = ${tenantId} and status = 1 returning id`)
  shops = (
    await rows<{ id: string }>(sql`select id from basic_shop_info where tenant_id = ${tenantId}
    and is_deleted = 0 order by client_id = ${clientId} desc nulls last, id`)
  ).map(({ id }) => id)
})
beforeEach(async () => {
  // Open cases are taken by somebody else, and their cause is over.
  await rows(sql`update guard_case set status = 3, end_time = now() - interval '1 hour', came_time = now()
    - interval '2 hours', first_time = null where tenant_id = ${tenantId} returning id`)
  await rows(sql`update shop_event set open_key = null, status = 2 where tenant_id = ${tenantId} returning id`)
  await rows(sql`update guard_shift set open_key = null, status = 1 where tenant_id = ${tenantId} returning id`)
})
afterAll(() => office?.close())

const call = async (method: 'GET' | 'POST', path: string, more: object = {}): Promise<any> => {
  const answer = await office.server.call(wu, method, `/api/shop/${path}`, more)
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.data
}
const inTenant = <T>(work: Parameters<typeof office.server.services.unit<T>>[1]) =>
  office.server.services.unit({ tenantId }, work)
const rows = <T extends object>(statement: ReturnType<typeof sql>): Promise<T[]> =>
  inTenant((db) => db.query<T>(statement))

const KINDS: RaiseEventInput['type'][] = [
  'doorForced',
  'temperature',
  'sos',
  'doorLeftOpen',
  'intrusion',
  'unpaidLeave',
]
const happen = (n: number) =>
  inTenant((db) =>
    raiseEvent(db, {
      shopId: shops[n % shops.length]!,
      type: KINDS[n % KINDS.length]!,
      subject: `night/${n}`,
      content: { zh: `第 ${n + 1} 件`, en: `Number ${n + 1}` },
    }),
  )
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const current = (page: Page) => page.locator('.guard-queue button[aria-current=true]')
const isFocusKept = (page: Page) => page.evaluate(() => document.activeElement !== document.body)

/** Takes the first case with keys and finishes it. Returns its id. */
async function clearOne(page: Page, n: number): Promise<string> {
  await current(page).waitFor(WAIT)
  const id = (await current(page).getAttribute('data-case'))!
  const row = page.locator(`.guard-queue [data-case="${id}"]`)
  if (n % 3) {
    await page.keyboard.press('e')
    await row.locator('em[data-mine=true]').waitFor(WAIT)
  }
  await page.keyboard.press('s')
  await page.locator('.guard-finish input:focus').waitFor(WAIT)
  await page.keyboard.press(String(1 + (n % 4)))
  await page.keyboard.press('Enter')
  await row.waitFor({ state: 'detached', ...WAIT })
  await expect.poll(() => isFocusKept(page), WAIT).toBe(true)
  return id
}

test('fifty shops, thirty events: all cleared by keys, the focus never lost, and the watch tells of it', async () => {
  expect(shops).toHaveLength(SHOPS)
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', { reducedMotion: 'reduce' })
  await page.goto(`${office.url}/guard/desk`)
  await page.locator('.guard-top h1').waitFor()
  await page.getByText('没有待处理的事').waitFor()
  await page.keyboard.press('w')
  await page.locator('.ant-modal').getByRole('button', { name: '开始值班' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.guard-top').getByText('交班').waitFor()
  await page.locator('.ant-modal').waitFor({ state: 'detached' })

  const night = (async () => {
    for (let n = 0; n < EVENTS; n++) {
      await happen(n)
      await pause(INTERVAL_MS)
    }
  })()
  // The first case is at a door that can be opened with a key and a confirmation.
  await current(page).waitFor(WAIT)
  await page.locator('.guard-side .door-acts').waitFor(WAIT)
  await page.keyboard.press('o')
  await page.locator('.ant-modal').getByRole('button', { name: '开门' }).waitFor(WAIT)
  await page.keyboard.press('Enter')
  const command = await gateway.told('door.control')
  expect(command.params).toMatchObject({ doorNo: 1, opt: 'open' })
  // While the dialog is open, keys belong to it.
  await page.locator('.ant-modal').waitFor({ state: 'detached', ...WAIT })
  const cleared = new Set<string>()
  for (let n = 0; n < EVENTS; n++) cleared.add(await clearOne(page, n))
  await night
  expect(cleared.size).toBe(EVENTS)
  await page.getByText('没有待处理的事').waitFor(WAIT)

  const kept = await rows<{ status: number; takerId: string; answer: number }>(sql`select status, taker_id,
      greatest(0, extract(epoch from first_time - came_time))::float8 as answer
    from guard_case where tenant_id = ${tenantId} and came_time > now() - interval '1 hour' order by answer`)
  expect(kept).toHaveLength(EVENTS)
  expect(new Set(kept.map(({ status, takerId }) => `${status}/${takerId}`))).toEqual(new Set([`2/${wu.userId}`]))
  const open = await rows(sql`select 1 from shop_event where tenant_id = ${tenantId} and open_key is not null
    and subject like 'night/%'`)
  expect(open).toEqual([])
  const p95 = Math.round(kept[Math.ceil(kept.length * 0.95) - 1]!.answer)
  await page.locator('.guard-figures').getByText(durationText(p95).zh).waitFor(WAIT)

  await page.keyboard.press('w')
  await page.locator('.guard-lines').getByText(`本班又来了 ${EVENTS} 件`).waitFor(WAIT)
  await page.locator('.guard-lines').getByText(`处理完 ${EVENTS} 件`).waitFor()
  await page.locator('.ant-modal-footer button.ant-btn-primary').focus()
  await page.keyboard.press('Enter')
  await page.locator('.ant-modal').waitFor({ state: 'detached', ...WAIT })
  const [watch] = (await call('GET', 'guardShift/list', { query: { userId: wu.userId, size: 1 } })).records
  expect(watch).toMatchObject({ status: 1, came: EVENTS, done: EVENTS, left: 0, answerP95: p95 })
  const handover = await call('GET', 'guardShift/handover', { query: { id: watch.id } })
  expect(handover).toMatchObject({ open: [], doors: 1, answer: { count: EVENTS, p95 } })
  expect(complaints).toEqual([])
  await close()
}, 120_000)

test('on a phone a case is taken and ended at the thumb, and one that comes right by itself says so', async () => {
  const id = await happen(100)
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', {
    viewport: { width: 375, height: 812 },
    hasTouch: true,
  })
  await page.goto(`${office.url}/guard/desk`)
  // Nothing is preselected.
  await page.locator(`.guard-queue [data-case="${id}"]`).tap()
  const bar = page.locator('.guard-bar')
  await bar.getByRole('button', { name: '接手' }).tap()
  await bar.getByRole('button', { name: '处理完' }).waitFor(WAIT)
  const box = (await bar.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(812)
  expect(box.y).toBeGreaterThan(812 / 2)
  const lowest = () =>
    bar
      .getByRole('button')
      .evaluateAll((buttons) => Math.min(...buttons.map((button) => button.getBoundingClientRect().height)))
  await expect.poll(lowest, WAIT).toBeGreaterThanOrEqual(44)
  await bar.getByRole('button', { name: '处理完' }).tap()
  await bar.getByText('已电话联系').tap()
  await bar.getByRole('button', { name: '处理完' }).tap()
  await page.locator('.guard-queue').waitFor(WAIT)
  await page.locator(`.guard-queue [data-case="${id}"]`).waitFor({ state: 'detached', ...WAIT })
  expect(await call('GET', 'guardCase/detail', { query: { id } })).toMatchObject({ status: 2, outcome: 'called' })

  const gone = await happen(103)
  await page.locator(`.guard-queue [data-case="${gone}"]`).waitFor(WAIT)
  await inTenant((db) =>
    resolveEvents(db, { shopId: shops[103 % shops.length]!, type: KINDS[103 % KINDS.length]!, subject: 'night/103' }),
  )
  await page.locator(`.guard-queue [data-case="${gone}"]`).waitFor({ state: 'detached', ...WAIT })
  await expect
    .poll(() => page.locator('[aria-live=polite]').allInnerTexts(), WAIT)
    .toContainEqual(expect.stringContaining('已自行恢复'))
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(complaints).toEqual([])
  await close()
}, 60_000)
