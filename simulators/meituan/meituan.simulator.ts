import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isMeituanSignatureValid, sign } from '#domains/sales/meituan/sign.ts'
import { goodsCalls, decideMeituanProductReview, executeDueMeituanTask, Several, takeTask } from './goods.ts'
import {
  requestMeituanRefund,
  cancelMeituanOrder,
  completeMeituanOrder,
  decideMeituanRefund,
  orderCalls,
  placeMeituanOrder,
  setMeituanRiderStatus,
  pushMeituanOrder,
  type NewOrder,
} from './orders.ts'
import { decideMeituanShopReview, shopCalls } from './shops.ts'
import { need, Refusal, refuse, type App, type Good, type Params, type Poi, type Task, type World } from './world.ts'

/** `deaf after taking` executes the call and never answers; `broken` answers with an HTML page, as a gateway does. */
type Mood = 'well' | 'busy' | 'broken' | 'failing' | 'deaf after taking'

const STALE_S = 600
const TOKEN_MS = 7 * 24 * 3_600_000
const BASE = '/api/v1/'
const calls = { ...shopCalls, ...goodsCalls, ...orderCalls }
/** Writes ids as JSON numbers, as the platform does, although they are too long for most languages. */
const unquoted = (json: string) => json.replace(/"(order_id|wm_order_id_view|task_id)":"(\d+)"/g, '"$1":$2')

type Options = { port?: number; now?: () => number; auditMs?: number; perSecond?: number }

function createWorld({ now = () => Date.now(), auditMs = 3_000 }: Options): World {
  return {
    now,
    auditMs,
    isStrict: false,
    apps: new Map(),
    pois: new Map(),
    categories: new Map(),
    goods: new Map(),
    orders: new Map(),
    tasks: new Map(),
    tokens: new Map(),
    pictures: [],
    tell: () => {},
  }
}

function issueToken(world: World, shopCode: string) {
  const [token, refresh] = [randomUUID(), randomUUID()]
  world.tokens.set(token, { shopCode, until: world.now() + TOKEN_MS, refresh })
  return new Several({
    status: 0,
    access_token: token,
    expires_in: TOKEN_MS / 1000,
    refresh_token: refresh,
    re_expires_in: (TOKEN_MS * 4) / 1000,
    state: '',
    message: 'ok',
  })
}

function renewToken(world: World, params: Params) {
  const refresh = need(params, 'refresh_token')
  const found = [...world.tokens].find(([, one]) => one.refresh === refresh)
  if (!found) return refuse(4001)
  world.tokens.delete(found[0])
  return issueToken(world, found[1].shopCode)
}

/**
 * Verifies application, signature, clock, rate and token before the call itself is looked at. Returns the application.
 */
function admit(world: World, url: string, params: Params, perSecond: Limit): string {
  const appNo = need(params, 'app_id')
  const app = world.apps.get(appNo) ?? refuse(702, appNo)
  if (!isMeituanSignatureValid(url, params, app.secret)) refuse(703)
  if (Math.abs(world.now() / 1000 - Number(need(params, 'timestamp'))) > STALE_S) refuse(703, 'timestamp')
  if (!perSecond(appNo)) refuse(711)
  if (app.isIsv && !url.includes('/oauth/')) {
    const token = world.tokens.get(params.access_token ?? '')
    if (!token || token.until <= world.now()) refuse(4001)
  }
  return appNo
}

function runCall(world: World, { path, params, isTask }: MeituanSimRequest, appNo: string): unknown {
  if (path === 'oauth/authorize') return issueToken(world, need(params, 'app_poi_code'))
  if (path === 'oauth/token') return renewToken(world, params)
  for (const poi of world.pois.values()) decideMeituanShopReview(world, poi)
  for (const shelf of world.goods.values()) for (const good of shelf.values()) decideMeituanProductReview(world, good)
  for (const task of world.tasks.values()) executeDueMeituanTask(world, task)
  if (isTask) return takeTask(world, path, appNo, params)
  const call = calls[path]
  return call ? call(world, appNo, params) : refuse(705, path)
}

type Limit = (appNo: string) => boolean
/** Returns a function that counts a call of an application and tells whether it is within the limit for this second. */
function createLimiter(perSecond: number) {
  const seen = new Map<string, number>()
  return (appNo: string): boolean => {
    const key = `${appNo} ${Math.floor(Date.now() / 1000)}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
    return seen.get(key)! <= perSecond
  }
}

/** How callbacks misbehave. */
const createPush = () => ({ times: 1, delayMs: 0, isSilent: false, isForged: false, isShuffled: false })

type MeituanSimCallback = { url: string; params: Record<string, string> }

/** Sends the platform's callbacks, with the misbehaviour set in `push`. */
function createTeller(world: World, push: ReturnType<typeof createPush>) {
  const callbacks: MeituanSimCallback[] = []
  const waiting: MeituanSimCallback[] = []
  const pending = new Set<Promise<unknown>>()

  async function send({ url, params }: MeituanSimCallback): Promise<void> {
    const body = new URLSearchParams(params)
    for (let n = 0; n < push.times; n++) await fetch(url, { method: 'POST', body }).catch(() => {})
  }
  function later(work: Promise<unknown>): void {
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }
  world.tell = (event, shopCode, given) => {
    const poi = world.pois.get(shopCode)
    const app = poi && world.apps.get(poi.appNo)
    if (!app?.callbackUrl) return
    const url = `${app.callbackUrl}/${event}`
    const signed = { ...given, app_id: poi!.appNo, timestamp: String(Math.floor(world.now() / 1000)) }
    const sig = push.isForged ? '0'.repeat(32) : sign(url, signed, app.secret)
    const one = { url, params: { ...signed, sig } }
    callbacks.push(one)
    if (push.isSilent) return
    if (push.isShuffled) waiting.push(one)
    else if (push.delayMs) setTimeout(() => later(send(one)), push.delayMs).unref()
    else later(send(one))
  }
  return {
    callbacks: callbacks as readonly MeituanSimCallback[],
    /** Sends the held callbacks in reverse order and waits for all that are being sent. */
    flush: async (): Promise<void> => {
      for (const one of waiting.splice(0).toReversed()) await send(one)
      while (pending.size) await Promise.all(pending)
    },
    /** Sends a callback again, by its index. */
    again: (at: number): Promise<void> => send(callbacks[at]!),
  }
}

async function paramsOf(request: IncomingMessage, url: URL): Promise<Params> {
  const body = request.method === 'POST' ? new URLSearchParams(await text(request)) : []
  return Object.fromEntries([...url.searchParams, ...body])
}

/** A parsed call; `isTask` marks one to be executed later under a task number. */
type MeituanSimRequest = { path: string; url: string; params: Params; isTask: boolean }

function judged(world: World, mood: Mood, ask: MeituanSimRequest, limit: Limit): object {
  try {
    const appNo = admit(world, ask.url, ask.params, mood === 'busy' ? () => false : limit)
    if (mood === 'failing') refuse(700)
    return wire(runCall(world, ask, appNo))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { data: 'ng', error: { code: error.code, msg: error.message } }
  }
}

const wire = (reply: unknown): object => (reply instanceof Several ? reply.body : { data: reply })

/** Adds what existed before the start. */
const standingOf = (world: World) => ({
  know: (appNo: string, app: App) => void world.apps.set(appNo, app),
  /**
   * Adds an order from before the start, without callbacks. Call it before `knowShop`, whose stock is already reduced.
   */
  knowOrder: (draft: NewOrder, status: number) => {
    placeMeituanOrder({ ...world, tell: () => {} }, draft).status = status
  },
  /** Adds a shop from before the start, approved and open, with its products. */
  knowShop: (poi: Omit<Poi, 'audit'>, shelves: { categories: World['categories']; goods: readonly Good[] }) => {
    world.pois.set(poi.code, { ...poi, audit: { status: 5, reason: '', due: 0 } })
    world.categories.set(poi.code, shelves.categories.get(poi.code) ?? new Map())
    world.goods.set(poi.code, new Map(shelves.goods.map((one) => [one.code, one])))
  },
})

/** The actions of customers, riders and the platform's staff. */
const customersOf = (world: World) => ({
  place: (draft: NewOrder) => placeMeituanOrder(world, draft),
  cancel: (orderNo: string, reason: string) => cancelMeituanOrder(world, orderNo, reason),
  complete: (orderNo: string) => completeMeituanOrder(world, orderNo),
  /** Sends the callback with an order's present state. */
  tell: (event: string, orderNo: string) => pushMeituanOrder(world, event, world.orders.get(orderNo)!),
  ride: (orderNo: string, status: number) => setMeituanRiderStatus(world, orderNo, status),
  /** Sends the callback that binds a shop to the application (1) or removes it (2). */
  bind: (shopCode: string, opType: string) =>
    world.tell('shopBind', shopCode, { op_type: opType, poi_info: JSON.stringify([{ app_poi_code: shopCode }]) }),
  askRefund: (orderNo: string, food: { code: string; count: number }[] | undefined, reason: string) =>
    requestMeituanRefund(world, orderNo, food, reason),
  decideRefund: (orderNo: string, isAgreed: boolean) => decideMeituanRefund(world, orderNo, isAgreed),
})

/**
 * Starts the simulated Meituan platform on loopback, at `/api/v1`: verifies signatures and clocks, limits the rate,
 * keeps shops, products and orders, reviews them after a time, and reports events by signed callbacks.
 */
export async function startMeituan(options: Options = {}) {
  const world = createWorld(options)
  const push = createPush()
  const teller = createTeller(world, push)
  const perSecond = createLimiter(options.perSecond ?? 20)
  const calledPaths: string[] = []
  const simulator = {
    url: '',
    /** Base address of its calls. */
    endpoint: '',
    mood: 'well' as Mood,
    push,
    /** Called after a call was executed and before it is answered. */
    meanwhile: undefined as ((path: string) => Promise<void>) | undefined,
    calledPaths: calledPaths as readonly string[],
    callbacks: teller.callbacks,
    flush: teller.flush,
    again: teller.again,
    pois: world.pois as ReadonlyMap<string, Poi>,
    goods: world.goods as ReadonlyMap<string, ReadonlyMap<string, Good>>,
    categories: world.categories,
    orders: world.orders,
    tokens: world.tokens,
    tasks: world.tasks as ReadonlyMap<string, Task>,
    /** From now on every audit refuses. */
    beStrict: (isStrict: boolean) => void (world.isStrict = isStrict),
    ...standingOf(world),
    ...customersOf(world),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, simulator.url)
    const path = url.pathname.slice(BASE.length)
    const params = await paramsOf(request, url)
    calledPaths.push(path)
    if (simulator.mood === 'broken')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
    const isTask = request.headers['request-process-way'] === 'asyn'
    const asking = { path, url: `${simulator.url}${BASE}${path}`, params, isTask }
    const reply = judged(world, simulator.mood, asking, perSecond)
    await simulator.meanwhile?.(path)
    if (simulator.mood === 'deaf after taking') return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/json;charset=UTF-8' }).end(unquoted(JSON.stringify(reply)))
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  simulator.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  simulator.endpoint = `${simulator.url}${BASE.slice(0, -1)}`
  return simulator
}

export type MeituanSimulator = Awaited<ReturnType<typeof startMeituan>>
