import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import type { Duplex } from 'node:stream'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { contentSecurityPolicyOfPage } from '#apps/server/src/static.ts'
import { createCaptchas, md5Hex } from '#kit/server/security/index.ts'
import { ensureChromium } from '#tests/support/chromium.ts'
import { basic, testServer, type TestServer } from '#tests/support/server.ts'
import { toSessionUser } from '#kit/web/session/session-user.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { toStoredRecords } from '#kit/web/base/storage.ts'
import { buildWeb } from '../../scripts/build-web.ts'

const BUILT = join(import.meta.dirname, '../../apps/web/dist')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--no-opt --no-maglev',
]

/** A browser window and the warnings and errors of its console. */
export type Visit = { page: Page; complaints: string[]; close: () => Promise<void> }

export type BrowserSession = {
  server: TestServer
  /** Address of the browser app. */
  url: string
  /** Opens a window without a sign-in. It closes with the test that opened it, otherwise with the session. */
  visit: (options?: BrowserContextOptions) => Promise<Visit>
  /**
   * Opens a window of a signed-in user, on a blank page unless `at` is given; `signInThroughForm` uses the sign-in
   * page. `password` defaults to the account's name.
   */
  signIn: (
    tenantId: string,
    account: string,
    options?: BrowserContextOptions & { at?: string; password?: string },
  ) => Promise<Visit>
  close: () => Promise<void>
}

/**
 * Starts the built product with the last days of the demo data and background work. `flags` are for the browser.
 * `hasPolicy` applies the server's content security policy to pages, which a test that injects scripts cannot have.
 * Close it in `afterAll`.
 */
export async function openBrowserSession({
  flags = [],
  storyDays,
  hasPolicy,
  env,
  now,
}: {
  flags?: readonly string[]
  storyDays?: number
  hasPolicy?: boolean
  env?: NodeJS.ProcessEnv
  now?: () => Date
} = {}): Promise<BrowserSession> {
  const built = await (web ??= builtWeb())
  const server = await testServer({ listen: true, storyDays, ...(env && { env }), ...(now && { now }) })
  await server.jobs.start()
  const policy = hasPolicy
    ? // The policy of a page; API data has another one.
      (await fetch(`${server.url}/login`, { headers: { accept: 'text/html' } })).headers.get('content-security-policy')
    : undefined
  if (policy === null) throw new Error('The server speaks no content security policy.')
  const front = await serveFront(built, server.url, policy)
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const browser = flags.length ? await startBrowser(flags) : await sharedBrowser()
  const windows = windowsOf(browser)
  return {
    server,
    url,
    visit: windows.visit,
    signIn: async (tenantId, account, { at, password = account, ...options } = {}) => {
      const storageState = await sessionOf(server, url, { tenantId, account, password })
      const made = await windows.visit({ ...options, storageState })
      if (at) {
        await made.page.goto(url + at)
        await made.page.waitForSelector('.shell-content h1')
      }
      return made
    },
    close: async () => {
      await windows.close()
      if (flags.length) await browser.close()
      front.closeAllConnections()
      front.close()
      await server.close()
    },
  }
}

let web: Promise<string> | undefined
/** Returns the folder of the browser app, built when the first journey of this process begins. */
async function builtWeb(): Promise<string> {
  if (process.env.WEB_DIST) return process.env.WEB_DIST
  if (!(await buildWeb())) throw new Error('The browser app could not be built.')
  return BUILT
}

let shared: Promise<Browser> | undefined
/** The browser shared by all journeys of this process. Windows have separate contexts. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= startBrowser())

const startBrowser = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureChromium(),
    args: [...FLAGS, ...flags],
    // Without a locale, Chromium cannot save files with Chinese names.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })

/** Opens windows. Those opened in a test close when it ends, all others by `close`. */
export function windowsOf(browser: Browser) {
  const open: Visit[] = []
  return {
    visit: async (options?: BrowserContextOptions): Promise<Visit> => {
      const window = await openWindow(browser, options)
      if (TestRunner.getCurrentTest()) onTestFinished(window.close)
      else open.push(window)
      return window
    },
    close: () => Promise.all(open.map((window) => window.close())),
  }
}

/** Opens a window with its own browser context. */
async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on(
    'console',
    (message) =>
      ['error', 'warning'].includes(message.type()) &&
      complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  return { page, complaints, close: () => context.close() }
}

/** Navigates within the app, as a click on the menu does. */
export const navigateWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)

/** Returns what a sign-in stores in the browser, without drawing the sign-in page. */
async function sessionOf(
  server: TestServer,
  url: string,
  { tenantId, account, password }: { tenantId: string; account: string; password: string },
): Promise<BrowserContextOptions['storageState']> {
  const answer = await server.call(undefined, 'POST', '/api/blade-auth/oauth/token', {
    body: { tenantId, username: account, password: md5Hex(password), grant_type: 'captcha', scope: 'all' },
    headers: {
      authorization: basic(webSettings.clientId, webSettings.clientSecret),
      'tenant-id': tenantId,
      ...(await solvedCaptcha(server)),
    },
  })
  if (answer.status !== 200) throw new Error(`${account} cannot sign in: ${JSON.stringify(answer.body)}`)
  const { access_token: token, refresh_token: refreshToken } = answer.body
  const localStorage = toStoredRecords({ userInfo: toSessionUser(answer.body), token, refreshToken })
  const cookie = (name: string, value: string) =>
    ({
      name,
      value,
      domain: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax',
    }) as const
  return {
    cookies: [cookie(webSettings.accessCookie, token), cookie(webSettings.refreshCookie, refreshToken)],
    origins: [{ origin: url, localStorage }],
  }
}

async function solvedCaptcha(server: TestServer): Promise<Record<string, string>> {
  const captchas = createCaptchas(server.services.shared)
  const { key: drawn } = await captchas.draw()
  return { 'captcha-key': drawn, 'captcha-code': (await captchas.reveal(drawn))! }
}

/** Signs in through the form; the captcha's text is read from the server's store. */
export async function signInThroughForm(
  page: Page,
  server: TestServer,
  url: string,
  who: { tenantId: string; account: string },
): Promise<void> {
  const drawn = page.waitForResponse((response) => response.url().includes('/oauth/captcha'))
  await page.goto(`${url}/login`)
  const { key } = (await (await drawn).json()) as { key: string }
  await page.fill('input[name=tenant]', who.tenantId)
  await page.fill('input[name=username]', who.account)
  await page.fill('input[name=password]', who.account)
  await page.fill('input[name=captcha]', (await createCaptchas(server.services.shared).reveal(key))!)
  await page.click('.login-submit')
  await page.waitForURL('**/wel/index')
  await page.waitForSelector('.shell-content h1')
}

/** Serves the built files, and the server's API below `/api`, on one address as in production. */
async function serveFront(built: string, api: string, policy?: string): Promise<Server> {
  const front = createServer((received, answer) =>
    received.url!.startsWith('/api') ? passOn(api, received, answer) : sendFile(built, received, answer, policy),
  )
  front.on('upgrade', (received: IncomingMessage, socket: Duplex, head: Buffer) =>
    passSocket(api, received, socket, head),
  )
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  return front
}

/** Forwards a websocket unchanged. */
function passSocket(api: string, received: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { hostname, port } = new URL(api)
  const line = connect(Number(port), hostname, () => {
    const headers = Object.entries(received.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    line.write(`GET ${received.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    line.write(head)
    line.pipe(socket).pipe(line)
  })
  for (const [one, other] of [
    [line, socket],
    [socket, line],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

function passOn(api: string, received: IncomingMessage, answer: ServerResponse): void {
  const call = request(
    new URL(received.url!, api),
    { method: received.method, headers: received.headers },
    (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    },
  )
  call.on('error', () => answer.destroy())
  answer.on('close', () => call.destroy())
  received.pipe(call)
}

function sendFile(built: string, received: IncomingMessage, answer: ServerResponse, policy?: string): void {
  const path = join(built, normalize(new URL(received.url!, 'http://front').pathname))
  // Every path without a file is a page of the app.
  const file = existsSync(path) && statSync(path).isFile() ? path : join(built, 'index.html')
  const offered = String(received.headers['accept-encoding'] ?? '')
  const packed = (
    [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const
  ).find(([encoding, ending]) => offered.includes(encoding) && existsSync(file + ending))
  answer.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    ...(packed && { 'content-encoding': packed[0] }),
    ...(policy &&
      file.endsWith('.html') && {
        'content-security-policy': contentSecurityPolicyOfPage(policy, readFileSync(file, 'utf8')),
      }),
  })
  createReadStream(file + (packed?.[1] ?? '')).pipe(answer)
}
