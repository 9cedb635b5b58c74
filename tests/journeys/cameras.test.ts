import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { syncVideoAccount } from '#domains/devices/video/api.ts'
import { readSight, COLUMNS, ROWS } from '#simulators/wvp/scene.ts'
import { startWvp, type WvpSimulator } from '#simulators/wvp/wvp.simulator.ts'
import { navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'

const tenantId = '100001'
const PASSWORD = 'of a journey'
let office: BrowserSession
let wvp: WvpSimulator

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
  const { services } = office.server
  const devices = await services.unit({ tenantId }, (db) =>
    db.query<{ deviceId: string; channelId: string; name: string }>(sql`select gb_device_id as "deviceId",
      gb_channel_id as "channelId", name from device_info where tenant_id = ${tenantId} and type = 'camera'
      and gb_channel_id is not null and is_deleted = 0 order by id limit 4`),
  )
  const cameras = devices.map((one, n) => ({ ...one, title: `S C${n}`, hasPtz: n >= 0 }))
  wvp = await startWvp({ password: PASSWORD, cameras, playTimeoutMs: 1_000 })
  const { id } = await services.unit({ tenantId }, (db) =>
    db.insert(services.registry.resource('videoAccount'), {
      name: '旅程平台',
      endpoint: wvp.url,
      rtspBase: wvp.rtspUrl,
      username: 'admin',
      secretKey: PASSWORD,
      generation: 'auto',
      mayBeInside: true,
      enabled: true,
    }),
  )
  await syncVideoAccount(services, tenantId, String(id))
})
afterAll(async () => {
  await office?.close()
  await wvp?.close()
})

/** Returns what a video on the page shows, by its pixels. */
async function sightOf(page: Page, at = 0) {
  const luma = await page
    .locator('.video-frame video')
    .nth(at)
    .evaluate((video: HTMLVideoElement) => {
      if (!video.videoWidth) return []
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 176
      const pen = canvas.getContext('2d', { willReadFrequently: true })!
      pen.drawImage(video, 0, 0, 320, 176)
      const { data } = pen.getImageData(0, 0, 320, 176)
      const cells = []
      for (let y = 4; y < 176; y += 8) for (let x = 4; x < 320; x += 8) cells.push(data[(y * 320 + x) * 4 + 1]!)
      return cells
    })
  return luma.length === COLUMNS * ROWS ? readSight((column, row) => luma[row * COLUMNS + column]!) : undefined
}

test('the wall shows what cameras see, comes back after a cut, and reads nothing once the page is left', async () => {
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', { at: '/device/wall' })
  await expect.poll(() => sightOf(page)).toBeDefined()
  const first = (await sightOf(page))!
  expect(wvp.world.cameras.map(({ mark }) => mark)).toContain(first.mark)
  expect(Math.abs(first.at.getTime() - Date.now())).toBeLessThan(10_000)
  await expect.poll(async () => ((await sightOf(page))?.at.getTime() ?? 0) > first.at.getTime()).toBe(true)
  expect(wvp.media.readers()).toBe(4)

  const cutAt = Date.now()
  wvp.cut()
  await expect.poll(async () => ((await sightOf(page))?.at.getTime() ?? 0) > cutAt + 1_000).toBe(true)

  await navigateWithin(page, '/wel/index')
  await expect.poll(() => wvp.media.readers()).toBe(0)
  expect(complaints.filter((one) => !/net::ERR|WebSocket/.test(one))).toEqual([])
  await close()
})

/** Commands sent to the cameras, by the byte for the direction. */
const TURNS = { left: /^A50F0102/, right: /^A50F0101/, stop: /^A50F0100/ }
const PATIENT = { timeout: 30_000 }

test('a camera turns while a hand or a key holds the button, and stops when it is let go or lost', async () => {
  const { page, close } = await office.signIn(tenantId, 'wu', { at: '/device/wall' })
  await page.locator('.video-tile header button').first().click()
  const dialog = page.locator('.ant-modal')
  const commands = () => wvp.world.told.map(({ bytes }) => bytes)
  await dialog.getByRole('button', { name: '向左', exact: true }).hover()
  await page.mouse.down()
  await expect.poll(() => commands().some((one) => TURNS.left.test(one)), PATIENT).toBe(true)
  await page.mouse.up()
  await expect.poll(() => commands().at(-1), PATIENT).toMatch(TURNS.stop)

  await dialog.getByRole('button', { name: '向右', exact: true }).focus()
  await page.keyboard.down('Enter')
  await expect.poll(() => commands().some((one) => TURNS.right.test(one)), PATIENT).toBe(true)
  // A closed window sends nothing any more.
  await close()
  await expect.poll(() => commands().at(-1), PATIENT).toMatch(TURNS.stop)
}, 90_000)

test('a camera is seen with little delay when that is asked for, and its picture goes on', async () => {
  const { page, close } = await office.signIn(tenantId, 'wu', { at: '/device/wall' })
  await page.locator('.video-tile header button').first().click()
  await page.locator('.ant-modal').getByRole('button', { name: '低延迟' }).click()
  const sight = async () => sightOf(page, (await page.locator('.video-frame video').count()) - 1)
  await expect.poll(sight, PATIENT).toBeDefined()
  const first = (await sight())!
  await expect.poll(async () => ((await sight())?.at.getTime() ?? 0) > first.at.getTime(), PATIENT).toBe(true)
  await close()
}, 90_000)

test('where a media server has segments alone they are played, and read no more once the page is left', async () => {
  wvp.media.close()
  for (const camera of wvp.world.cameras) camera.faults = { hasOnlyHls: true }
  const { page } = await office.signIn(tenantId, 'wu', { at: '/device/wall' })
  await expect.poll(() => sightOf(page)).toBeDefined()
  const first = (await sightOf(page))!
  await expect.poll(async () => ((await sightOf(page))?.at.getTime() ?? 0) > first.at.getTime()).toBe(true)
  await navigateWithin(page, '/wel/index')
  await expect.poll(() => wvp.media.readers()).toBe(0)
})
