import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sendOfficial, sendSubscribed } from './send.ts'
import { refuse, Refusal, type App, type Body, type World } from './world.ts'

/**
 * `down` does nothing; `deaf after doing` executes the call and hangs up; `silent` hangs up; a number is returned as
 * `errcode`.
 */
type Fault = { kind: 'down' | 'deaf after doing' | 'silent' | number; path?: RegExp; times?: number }
type Call = { path: string; body: Body; errcode: number }

const GOOD_SECONDS = 7200
/** Remaining lifetime at which a token request gets a new token. */
const BEFORE_END_MS = 300_000
const FORCED_A_DAY = 20
const FORCED_APART_MS = 30_000
const CALLS_MAX = 2000

type Options = { port?: number; now?: () => number }

/** Returns an app's access token as the stable-token interface does. */
function stableToken(world: World, body: Body): Body {
  if (body.grant_type !== 'client_credential') refuse(40002, 'invalid grant_type')
  const app = world.apps.get(String(body.appid ?? '')) ?? refuse(40013, 'invalid appid')
  if (body.secret !== app.secret) refuse(40125, 'invalid appsecret')
  const now = world.now()
  if (body.force_refresh === true) {
    app.forced = app.forced.filter((at) => at > now - 86_400_000)
    if (app.forced.length >= FORCED_A_DAY) refuse(45009, 'reach max api daily quota limit')
    if (app.forced.some((at) => at > now - FORCED_APART_MS)) refuse(45011, 'api minute-quota reach limit')
    app.forced.push(now)
    app.tokens.clear()
  }
  const kept = [...app.tokens].find(([, end]) => end - BEFORE_END_MS > now)
  const [token, end] = kept ?? [randomBytes(64).toString('base64url'), now + GOOD_SECONDS * 1000]
  app.tokens.set(token, end)
  return { access_token: token, expires_in: Math.floor((end - now) / 1000) }
}

/** Returns the app that a token belongs to; refuses an unknown or expired one. */
function appOf(world: World, token: string | null): App {
  if (!token) return refuse(41001, 'access_token missing')
  const app = [...world.apps.values()].find(({ tokens }) => tokens.has(token))
  if (!app) return refuse(40001, 'invalid credential, access_token is invalid or not latest')
  return app.tokens.get(token)! > world.now() ? app : refuse(42001, 'access_token expired')
}

const SENDS: Record<string, (world: World, app: App, body: Body) => Body> = {
  '/cgi-bin/message/subscribe/send': sendSubscribed,
  '/cgi-bin/message/template/send': sendOfficial,
}

function executeCall(world: World, url: URL, body: Body): Body {
  if (url.pathname === '/cgi-bin/stable_token') return stableToken(world, body)
  const send = SENDS[url.pathname] ?? refuse(40066, 'invalid url')
  return send(world, appOf(world, url.searchParams.get('access_token')), body)
}

function judged(world: World, url: URL, body: Body, fault: Fault['kind'] | undefined): Body {
  try {
    if (typeof fault === 'number') refuse(fault, '模拟故障')
    return { errcode: 0, errmsg: 'ok', ...executeCall(world, url, body) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { errcode: error.code, errmsg: error.message }
  }
}

function createWorld({ now = () => Date.now() }: Options): World {
  let serial = 0
  return { now, apps: new Map(), outbox: [], newNo: () => 4_000_000_000 + ++serial }
}

/**
 * Starts WeChat's simulated message interfaces on loopback: stable access tokens, subscription messages of mini
 * programs and template messages of official accounts, with WeChat's refusals.
 */
export async function startWechat(options: Options = {}) {
  const world = createWorld(options)
  const calls: Call[] = []
  const faults: Fault[] = []
  const simulator = {
    url: '',
    apps: world.apps,
    /** The messages delivered, newest last. */
    outbox: world.outbox,
    calls,
    faults,
    /** Delay of each answer in ms. */
    lateMs: 0,
    know(appid: string, app: Pick<App, 'secret' | 'kind'> & Partial<App>): App {
      const known = { people: new Map(), templates: new Map(), pages: new Set<string>(), ...app }
      const made: App = { ...known, tokens: new Map(), forced: [], sent: new Map() }
      world.apps.set(appid, made)
      return made
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const takeFault = (path: string): Fault['kind'] | undefined => {
    const at = faults.findIndex((one) => !one.path || one.path.test(path))
    const fault = faults[at]
    if (fault?.times !== undefined && --fault.times <= 0) faults.splice(at, 1)
    return fault?.kind
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, simulator.url)
    const body = JSON.parse((await text(request)) || '{}') as Body
    const fault = takeFault(url.pathname)
    if (fault === 'silent') return void response.destroy()
    if (fault === 'down') return void response.writeHead(502).end('<h1>502 Bad Gateway</h1>')
    const reply = judged(world, url, body, fault)
    calls.push({ path: url.pathname, body, errcode: Number(reply.errcode) })
    calls.splice(0, Math.max(0, calls.length - CALLS_MAX))
    if (fault === 'deaf after doing') return void response.destroy()
    const answer = () =>
      response.writeHead(200, { 'content-type': 'application/json; encoding=utf-8' }).end(JSON.stringify(reply))
    if (simulator.lateMs) setTimeout(answer, simulator.lateMs).unref()
    else answer()
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  simulator.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return simulator
}

export type WechatSimulator = Awaited<ReturnType<typeof startWechat>>
