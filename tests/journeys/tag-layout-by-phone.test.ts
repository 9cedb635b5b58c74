import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
let office: BrowserSession

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
})
afterAll(() => office?.close())

test('a tag is laid out with two thumbs, drawn with real goods, and its tags wait for it', async () => {
  const unit = <T>(work: string): Promise<T[]> =>
    office.server.services.unit({ tenantId }, (db) => db.query(sql([work])) as Promise<T[]>)
  const { page, complaints } = await office.signIn(tenantId, 'wu', { ...PHONE, at: '/goods/tagTemplate' })
  await page.getByRole('button', { name: '新增' }).first().click()
  await page.getByLabel('名称').fill('大字价')
  const price = page.getByRole('button', { name: '售价', exact: true })
  await price.click()

  const [good] = await unit<{ name: string; price: string }>(
    `select name, to_char(sale_price / 100.0, 'FM999990.00') as price from good_info where is_deleted = 0
      order by create_time desc, id desc limit 1`,
  )
  const paper = page.locator('.layout-desk svg')
  await expect.poll(() => paper.getAttribute('aria-label')).toContain(`¥${good!.price}`)
  const sizeOf = async () => Number(await paper.locator('text', { hasText: '¥' }).first().getAttribute('font-size'))

  const before = await sizeOf()
  await page.getByRole('button', { name: '放大' }).click()
  await expect.poll(sizeOf).toBeGreaterThan(before)
  await page.getByRole('button', { name: '红色' }).click()
  const [from, box] = [await paper.boundingBox(), (await price.boundingBox())!]
  expect(from!.width).toBeLessThanOrEqual(375)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  expect((await price.boundingBox())!.x - box.x).toBeGreaterThan(30)

  // Nothing is wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.locator('.kit-field', { hasText: '这个尺寸默认' }).getByRole('switch').click()
  const [start] = await unit<{ at: string }>('select clock_timestamp()::text as at')
  await page.getByRole('button', { name: '保存' }).click()
  await page.locator('.kit-list-row', { hasText: '大字价' }).waitFor()
  const [kept] = await unit<{ elements: { from: string; isRed?: boolean; x: number }[] }>(
    `select elements from tag_template where name = '大字价'`,
  )
  expect(kept!.elements.find((one) => one.from === 'price')).toMatchObject({ isRed: true })

  const waits = await unit<{ template: string; waits: boolean }>(
    `select distinct template, wanted_time >= '${start!.at}' as waits from price_tag
      where status <> 0 and is_deleted = 0 order by template`,
  )
  expect(waits.filter((one) => one.waits)).toEqual([{ template: 'standard', waits: true }])
  expect(complaints).toEqual([])
})
