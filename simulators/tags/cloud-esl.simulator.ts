import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The account that can sign in, and the API key it can use instead. */
export const eslAccount = { userName: 'demo', password: 'demo-password', apiKey: 'demo-api-key' }

type Good = { StoreId: string; Code: string; Name: string; [field: string]: unknown }
type Binding = { priceTagCode: string; goodsCode: string; storeId: string }
type Flash = { storeId: string; color: string; count: number; items: string[] }
type Envelope = { status: number; message: string; data: unknown }
type Faults = {
  /** The cloud's gateway answers with an HTML error page. */
  down: boolean
  /** Tokens are refused until the next sign-in. */
  forgetsTokens: boolean
  /** Accepts connections and never answers. */
  silent: boolean
  /** Tags that do not accept images. */
  deafTags: Set<string>
  /** Tags of other accounts. */
  foreignTags: Set<string>
}

const createFaults = (): Faults => ({
  down: false,
  silent: false,
  forgetsTokens: false,
  deafTags: new Set(),
  foreignTags: new Set(),
})

const TOKEN_MS = 86_400_000
const ok = (data: unknown = null): Envelope => ({ status: 200, message: 'success', data })
const refuse = (status: number, message: string): Envelope => ({ status, message, data: null })
const keyOf = (storeId: unknown, code: unknown) => `${String(storeId)}/${String(code)}`
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Returns the state of a tag as the cloud reports it: whether it shows the product's present data, and when it was last
 * heard.
 */
function createTagStates(shown: ReadonlyMap<string, Good>, faults: Faults, now: () => number) {
  const lastSeen = new Map<string, number>()
  return (priceTagCode: string, good: Good) => {
    if (!faults.deafTags.has(priceTagCode)) lastSeen.set(priceTagCode, now())
    return {
      priceTagCode,
      updateStatus: shown.get(priceTagCode) === good ? 1 : 0,
      battery: 2_900,
      lastTime: lastSeen.get(priceTagCode) ?? 0,
    }
  }
}

/** Keeps products, tag bindings and what the tags show. */
function createStore(faults: Faults, now: () => number) {
  const goods = new Map<string, Good>()
  const bindings = new Map<string, Binding>()
  const shown = new Map<string, Good>()
  const flashes: Flash[] = []
  const stateOf = createTagStates(shown, faults, now)

  function show({ priceTagCode, storeId, goodsCode }: Binding): void {
    const good = goods.get(keyOf(storeId, goodsCode))
    if (good && !faults.deafTags.has(priceTagCode)) shown.set(priceTagCode, good)
  }

  return {
    shown: shown as ReadonlyMap<string, Good>,
    bindings: bindings as ReadonlyMap<string, Binding>,
    flashes: flashes as readonly Flash[],
    refresh: () => bindings.forEach(show),
    /** Stores products; tags bound to them show the new data. */
    sync(list: Good[]): Envelope {
      if (!list.every(({ StoreId, Code, Name }) => isText(StoreId) && isText(Code) && isText(Name)))
        return refuse(400, 'StoreId, Code and Name are required')
      for (const good of list) {
        goods.set(keyOf(good.StoreId, good.Code), good)
        for (const one of bindings.values()) if (one.storeId === good.StoreId && one.goodsCode === good.Code) show(one)
      }
      return ok(list.length)
    },
    bind(list: Binding[]): Envelope {
      const foreign = list.find(({ priceTagCode }) => faults.foreignTags.has(priceTagCode))
      if (foreign) return refuse(404, `tag ${foreign.priceTagCode} not found`)
      const unknown = list.find(({ storeId, goodsCode }) => !goods.has(keyOf(storeId, goodsCode)))
      if (unknown) return refuse(404, `goods ${unknown.goodsCode} not found`)
      for (const one of list) {
        bindings.set(one.priceTagCode, one)
        show(one)
      }
      return ok(list.length)
    },
    unbind(list: Binding[]): Envelope {
      const missing = list.find(({ priceTagCode }) => !bindings.has(priceTagCode))
      if (missing) return refuse(404, `tag ${missing.priceTagCode} is not bound`)
      for (const { priceTagCode } of list) {
        bindings.delete(priceTagCode)
        shown.delete(priceTagCode)
      }
      return ok(list.length)
    },
    flash(storeId: string, { color, count, items }: Omit<Flash, 'storeId'>): Envelope {
      if (!isText(color) || !Array.isArray(items)) return refuse(400, 'color and items are required')
      flashes.push({ storeId, color, count, items })
      return ok(items.length)
    },
    info(storeId: string, code: string): Envelope {
      const good = goods.get(keyOf(storeId, code))
      if (!good) return refuse(404, 'not found')
      const tags = [...bindings.values()].filter((one) => one.storeId === storeId && one.goodsCode === code)
      return ok({ ...good, priceTags: tags.map(({ priceTagCode }) => stateOf(priceTagCode, good)) })
    },
  }
}

type Store = ReturnType<typeof createStore>

function answerOf(store: Store, method: string, path: string, body: unknown): Envelope {
  const [, , call, storeId = '', code = ''] = path.split('/').map(decodeURIComponent)
  if (method === 'GET') return call === 'GetInfo' ? store.info(storeId, code) : refuse(404, 'no such call')
  if (call === 'Led') return store.flash(storeId, (body ?? {}) as Omit<Flash, 'storeId'>)
  if (!Array.isArray(body) || !body.every((one) => typeof one === 'object' && one !== null))
    return refuse(400, 'a list is required')
  if (call === 'SyncGoods') return store.sync(body as Good[])
  if (call === 'Bind') return store.bind(body as Binding[])
  if (call === 'UnBind') return store.unbind(body as Binding[])
  return refuse(404, 'no such call')
}

/**
 * Starts a simulated cloud of a price tag vendor on loopback: sign in for a token of 24 hours or use an API key, upload
 * products, bind tags. Refusals come in the envelope with HTTP 200.
 */
export async function startCloudEsl({ port = 0, now = () => Date.now() }: { port?: number; now?: () => number } = {}) {
  const faults = createFaults()
  const calls: string[] = []
  const tokens = new Map<string, number>()
  const store = createStore(faults, now)

  function signIn(body: unknown): Envelope {
    const { userName, password } = (body ?? {}) as Partial<typeof eslAccount>
    if (userName !== eslAccount.userName || password !== eslAccount.password)
      return refuse(401, 'user name or password is wrong')
    const token = randomUUID()
    tokens.set(token, now() + TOKEN_MS)
    faults.forgetsTokens = false
    return ok(token)
  }

  function isKnown({ headers }: IncomingMessage): boolean {
    if (headers.apikey !== undefined) return headers.apikey === eslAccount.apiKey
    const until = tokens.get(String(headers.authorization ?? '').replace(/^Bearer /, '')) ?? 0
    return !faults.forgetsTokens && until > now()
  }

  async function serve(request: IncomingMessage): Promise<Envelope> {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const body = request.method === 'POST' ? await json(request) : undefined
    if (pathname === '/api/Verify/Login') return signIn(body)
    if (!pathname.startsWith('/OpenApi/')) return refuse(404, 'no such call')
    return isKnown(request) ? answerOf(store, request.method!, pathname, body) : refuse(401, 'sign in first')
  }

  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    if (faults.silent) return
    if (faults.down) return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
    void serve(request)
      .catch(() => refuse(400, 'unreadable'))
      .then((envelope) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(envelope)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    shown: store.shown,
    bindings: store.bindings,
    flashes: store.flashes,
    /** Lets all tags show what they missed, as they would after a time. */
    refresh: store.refresh,
    calls: calls as readonly string[],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
