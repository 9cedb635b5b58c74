// npm run pictures: takes the screenshots of README.md with the demo data, in a product started for it or, with `--url
// http://localhost:8080`, in a running one.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { ensureChromium } from '#tests/support/chromium.ts'

type Picture = {
  name: string
  who: string
  width: number
  height: number
  path: string
  ready: (page: Page) => unknown
}

const root = join(import.meta.dirname, '..')
const FOLDER = 'docs/pictures'
const SIZE_MAX = 200_000
const DEMO_MS = 600_000

const PICTURES: Picture[] = [
  { name: 'home', who: '林晓', width: 1440, height: 900, path: '/wel/index', ready: drawn },
  { name: 'order', who: '吴敏', width: 1440, height: 900, path: '/order/shoppingOrder', ready: openFirstRow },
  { name: 'phone', who: '林晓', width: 375, height: 812, path: '/wel/index', ready: drawn },
]

const given = process.argv[process.argv.indexOf('--url') + 1]
const product = process.argv.includes('--url') && given ? { url: given, stop: () => undefined } : await startProduct()
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
try {
  mkdirSync(join(root, FOLDER), { recursive: true })
  for (const picture of PICTURES) await captureScreenshot(browser, product.url, picture)
} finally {
  await browser.close()
  await product.stop()
}

async function captureScreenshot(
  from: Browser,
  url: string,
  { name, who, width, height, path, ready }: Picture,
): Promise<void> {
  const context = await from.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    hasTouch: width < 500,
    isMobile: width < 500,
  })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: who }).click()
  await page.waitForURL('**/wel/index')
  if (path !== '/wel/index') await page.goto(url + path)
  await ready(page)
  // The network never becomes idle because of the event stream, so this waits for skeletons and images.
  await page.waitForFunction(
    () => !document.querySelector('.kit-skeleton') && [...document.images].every(({ complete }) => complete),
  )
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  const file = join(FOLDER, `${name}.png`)
  await page.screenshot({ path: join(root, file), animations: 'disabled', caret: 'hide' })
  await context.close()
  const { size } = statSync(join(root, file))
  console.log(`${file}: ${Math.round(size / 1000)} kB`)
  if (size > SIZE_MAX) throw new Error(`${file} is larger than ${SIZE_MAX / 1000} kB`)
}

async function drawn(page: Page): Promise<void> {
  await page.locator('.shell-content h1').waitFor()
  await page.locator('.kit-drawing svg').first().waitFor()
}

async function openFirstRow(page: Page): Promise<void> {
  await page.locator('.ant-table-row').first().waitFor()
  // The button is covered by the links of the row's cells, but the keyboard reaches it.
  await page.locator('.ant-table-row .kit-open').nth(3).press('Enter')
  await page.locator('.kit-drawer').getByText('价格构成').waitFor()
}

async function startProduct(): Promise<{ url: string; stop: () => Promise<void> }> {
  const [port, mqtt] = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...process.env, PORT: String(port), MQTT_PORT: String(mqtt), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  // While the demo data is seeded another page answers at this address: only the "Ready" line tells.
  const ready = new Promise<void>((done) => {
    let output = ''
    child.stdout.on('data', (part: Buffer) => (output += part.toString()).includes('Ready:') && done())
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), DEMO_MS)
  const isUp = await Promise.race([ready.then(() => true), ended.then(() => false)])
  clearTimeout(timer)
  if (isUp) return { url: `http://127.0.0.1:${port}`, stop }
  rmSync(folder, { recursive: true, force: true })
  throw new Error('the product did not start')
}

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
