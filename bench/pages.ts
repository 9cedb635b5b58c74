// npm run bench -- pages [--url http://localhost:8080]
// First load of the login page and of an order list: bytes and requests on the wire, and the time until it is usable at
// 1.6 Mbit/s, 150 ms latency and a CPU slowed four times. Needs a running demo (npm start).
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext } from 'playwright-core'
import { compressAssetsWithBrotli } from '../apps/web/build/compressed.ts'
import { ensureChromium } from '#tests/support/chromium.ts'
import { md5Hex } from '../kit/server/security/index.ts'
import { toStoredRecords } from '../kit/web/base/storage.ts'
import { median } from './load.ts'

const at = process.argv.indexOf('--url')
const base = at > 0 ? process.argv[at + 1]! : 'http://localhost:8080'
const RUNS = 3

type Visit = { kib: number; scriptStyleKib: number; requests: number; usableMs: number }

const USABLE = 'usable after '

/**
 * Runs in the page, since Playwright's selectors (300 KiB of script) would have to be parsed by the slowed CPU. Logs
 * the time when the element is visible and the page responds.
 */
function watchFor(selector: string): void {
  const look = () => {
    const found = document.querySelector(selector)
    if (!found?.getClientRects().length) return void requestAnimationFrame(look)
    requestAnimationFrame(() => setTimeout(() => console.info(`usable after ${performance.now()}`)))
  }
  requestAnimationFrame(look)
}

async function visit(context: BrowserContext, path: string, selector: string, isSlow: boolean): Promise<Visit> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (isSlow) {
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1.6e6 / 8,
      uploadThroughput: 0.75e6 / 8,
    })
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  const types = new Map<string, string>()
  let bytes = 0
  let scriptStyle = 0
  client.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    if (['Script', 'Stylesheet'].includes(types.get(requestId) ?? '')) scriptStyle += encodedDataLength
  })
  await page.addInitScript(watchFor, selector)
  const usable = new Promise<number>((resolve) =>
    page.on(
      'console',
      (message) => message.text().startsWith(USABLE) && resolve(Number(message.text().slice(USABLE.length))),
    ),
  )
  await page.goto(`${base}${path}`, { waitUntil: 'commit' })
  const usableMs = await usable
  const out = { kib: bytes / 1024, scriptStyleKib: scriptStyle / 1024, requests: types.size, usableMs }
  await page.close()
  return out
}

const query = new URLSearchParams({
  grant_type: 'password',
  tenantId: '000000',
  username: 'admin',
  password: md5Hex('admin'),
  scope: 'all',
})
const tokens = (await (
  await fetch(`${base}/api/blade-auth/oauth/token?${query}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': '000000' },
  })
).json()) as Record<string, unknown>
// A started product does the same in the background.
await compressAssetsWithBrotli(fileURLToPath(new URL('../apps/web/dist', import.meta.url)))
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
console.log(
  '| page | script + style KiB | all KiB | requests | usable ms | usable ms, slow |\n| --- | ---: | ---: | ' +
    '---: | ---: | ---: |',
)
for (const [name, path, selector] of [
  ['login', '/login', 'input[type=password]'],
  // Real rows, not placeholders.
  ['order list', '/order/shoppingOrder', 'tr[data-row-key]:not(:has(.kit-skeleton)) a.kit-number'],
] as const) {
  const runs: Visit[][] = [[], []]
  for (let run = 0; run < RUNS; run++) {
    for (const isSlow of [false, true]) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
      if (name !== 'login') {
        // Signed in, with the tokens stored as the app stores them.
        const records = { token: tokens.access_token, refreshToken: tokens.refresh_token }
        await context.addInitScript((entries) => {
          for (const { name, value } of entries) localStorage.setItem(name, value)
        }, toStoredRecords(records))
      }
      runs[isSlow ? 1 : 0]!.push(await visit(context, path, selector, isSlow))
      await context.close()
    }
  }
  const of = (list: Visit[], key: keyof Visit) => median(list.map((one) => one[key]))
  console.log(
    `| ${name} | ${of(runs[0]!, 'scriptStyleKib').toFixed(0)} | ${of(runs[0]!, 'kib').toFixed(0)} | ` +
      `${of(runs[0]!, 'requests')} | ${of(runs[0]!, 'usableMs').toFixed(0)} | ` +
      `${of(runs[1]!, 'usableMs').toFixed(0)} |`,
  )
}
await browser.close()
