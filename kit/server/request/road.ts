import '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { randomBytes } from 'node:crypto'
import { isEmpty } from '../../fields/field-kind.ts'
import type { Lang } from '../../resource/words.ts'
import { createAuthentication, tokenOf } from './authenticate.ts'
import { createGate, Crowded } from '../database/admission.ts'
import { may, type Caller } from '../caller.ts'
import { isConnectionLoss, isDiskFull, isPassing, OutcomeUnknown } from '../database/connections.ts'
import { asAsked, unitOfWork, type Actor, type Db } from '../database/db.ts'
import { crash, refusal, success } from './envelope.ts'
import { shedLoad } from './load-shedding.ts'
import { networkOf } from './outside.ts'
import { parseInput } from './parse-input.ts'
import { Refused } from '../refused.ts'
import { Reply, type Call, type Can, type Route } from '../room.ts'
import { masked } from '../security/index.ts'
import type { OperationEntry, Services } from '../services.ts'

/** Language of an answer: English when the reader asks for it first, Chinese otherwise. */
export const langOf = (header: string | string[] | undefined): Lang =>
  /^\s*en\b/i.test(String(header ?? '')) ? 'en' : 'zh'

/** Someone who has not signed in: no rights, no rows. */
export const stranger: Caller = {
  userId: '',
  tenantId: '',
  account: '',
  name: '',
  sessionId: '',
  clientId: '',
  roleIds: [],
  roleAliases: [],
  deptIds: [],
  deptTreeIds: [],
  isPlatform: false,
  isAdmin: false,
  permissions: new Set(),
  dataScopes: [],
  apiScopeIds: new Set(),
  limits: {},
}

export const actorOf = (caller: Caller): Actor => ({ userId: caller.userId || '0', deptId: caller.deptIds[0] ?? null })

const isOpen = (can: Can): can is { open: string } => typeof can === 'object' && 'open' in can
const isTerminal = (can: Can): can is { terminal: string } => typeof can === 'object' && 'terminal' in can

/** The path as routes see it: "%6c" is "l", so that no other spelling of an address goes past its guard. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Station "authorise": may they at all — permission first, then the API scopes that guard the path. */
export async function authorise(
  caller: Caller,
  can: Can,
  path: string,
  services: Services,
  route: Partial<Pick<Route, 'path' | 'closed'>> = {},
): Promise<void> {
  const { closed, path: pattern = path } = route
  if (isOpen(can) || isTerminal(can)) return
  if (
    typeof can === 'string'
      ? !may(caller, can)
      : Array.isArray(can)
        ? !can.some((code) => may(caller, code as string))
        : 'platform' in can && !caller.isPlatform
  ) {
    if (closed && may(caller, closed.list)) throw new Refused(closed.code, { label: closed.label })
    throw new Refused(typeof can === 'object' && 'platform' in can ? 'platform_only' : 'forbidden')
  }
  if (caller.isAdmin) return
  // Who guards one address of a call guards all of them.
  const addresses = [path, ...(services.registry.addresses.get(pattern) ?? [])]
  const guards = (await services.access.guardedPaths()).filter((guard) =>
    addresses.some((one) => one.includes(guard.path)),
  )
  if (guards.length && !guards.some((guard) => caller.apiScopeIds.has(guard.id))) throw new Refused('forbidden')
}

/**
 * What PostgreSQL refuses because of the caller's values, because others were faster, or because it is away or full is
 * a refusal, not a crash.
 */
export function refusalOfDatabase(error: unknown): Refused | undefined {
  if (error instanceof OutcomeUnknown) return new Refused('outcome_unknown')
  if (error instanceof Crowded) return new Refused('crowded')
  if (isConnectionLoss(error)) return new Refused('unavailable')
  const code = (error as { code?: unknown } | null)?.code
  if (isDiskFull(error)) return new Refused('disk_full')
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  if (code.startsWith('22')) return new Refused('bad_request')
  if (code === '23505') return new Refused('taken', { label: { zh: '相同的数据', en: 'The same' } })
  if (code === '40001' || code === '40P01' || code === '55P03') return new Refused('busy')
  // Cut short, out of memory, or a stand-by that only reads: another moment or another server does it.
  if (code === '57014' || code === '25006' || code.startsWith('53')) return new Refused('unavailable')
  return undefined
}

const isClientError = (error: unknown): boolean => {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' && status >= 400 && status < 500
}

/** How long a call waits for a database connection before it is told to come again. */
const PATIENCE_MS = 3000
const TRY_AGAIN_SECONDS = '2'
/** Files are held whole in memory while they are looked at: so many at once, and who comes then waits unread. */
const UPLOADS_AT_ONCE = 8
const UPLOAD_PATIENCE_MS = 30_000
/** A body is parsed at once, while nobody else is answered: so much of it takes some milliseconds. */
const BODY_MAX = 1_048_576

/** Looking is tried again on another connection when the first was lost; changing is not (docs/decisions/0022). */
const twice = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof OutcomeUnknown || !isConnectionLoss(error)) throw error
    return work()
  })

type Raw = { query: Record<string, string>; body: unknown; file?: Call['file'] }

function argumentsOf(raw: Raw): Record<string, unknown> {
  const body =
    typeof raw.body === 'object' && raw.body !== null && !Array.isArray(raw.body)
      ? (raw.body as Record<string, unknown>)
      : {}
  const query = Object.fromEntries(Object.entries(raw.query).filter(([, value]) => !isEmpty(value)))
  return { ...body, ...query }
}

/** Arguments for the log, which masks by name; a route's input declared secret is none of its business. */
function paramsOf(routeSpec: Route, raw: Raw): Record<string, unknown> {
  const secrets = Object.entries(routeSpec.input ?? {})
    .filter(([, field]) => field.secret)
    .map(([name]) => name)
  const without = (given: object) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secrets.includes(name) ? masked : value]))
  const body =
    typeof raw.body === 'object' && raw.body && secrets.length && !Array.isArray(raw.body)
      ? without(raw.body)
      : raw.body
  return { ...without(raw.query), ...(typeof body === 'object' && body ? { body } : {}) }
}

/** Calls at once for each database connection: half a second of work, more where callers have more patience. */
const callsPerConnection = (patienceMs = PATIENCE_MS) => Math.ceil((16 * patienceMs) / PATIENCE_MS)

/** Mounts routes on Fastify: each request goes down the road of docs/architecture.md §3, station by station. */
export function createRoad(app: FastifyInstance, services: Services) {
  const { callerOf, lastTenantOf } = createAuthentication(services)
  shedLoad(app, {
    places: (services.pool.options.max ?? 10) * callsPerConnection(services.config.patienceMs),
    keyOf: (request) => {
      const token = tokenOf(request.headers, request.query as Record<string, string>)
      // Who has not signed in, and whose token was never seen here, counts by address.
      return (token && lastTenantOf(token)) ?? networkOf(request.ip)
    },
    refuse: (request, reply) => {
      const { status, body } = refusal(new Refused('crowded'), langOf(request.headers['accept-language']))
      void reply.status(status).header('retry-after', TRY_AGAIN_SECONDS).send(body)
    },
  })
  const noDb = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('this route has tx: false and no db')
      },
    },
  ) as Db

  async function whoCalls(can: Can, request: FastifyRequest, query: Record<string, string>): Promise<Caller> {
    if (isTerminal(can)) {
      const terminal = await services.access.terminalOf(request.headers)
      if (!terminal) throw new Refused('not_signed_in')
      return terminal
    }
    const token = tokenOf(request.headers, query)
    // A stale token must not break public calls (wire contract §1.1).
    const caller = token ? await callerOf(token) : undefined
    if (!caller && !isOpen(can))
      throw new Refused('not_signed_in', {}, token ? { ended: await services.access.endOf?.(token) } : {})
    return caller ?? stranger
  }

  const uploads = createGate(UPLOADS_AT_ONCE)
  const placeForFile = ({ uploadMaxBytes }: Route, request: FastifyRequest, { tenantId }: Caller) =>
    uploadMaxBytes && request.isMultipart()
      ? uploads.enter({ tenantId, lane: 'write', patienceMs: UPLOAD_PATIENCE_MS })
      : undefined

  /** A longer body than usual is read for those alone who may send one. */
  async function knownFirst({ can }: Route, request: FastifyRequest): Promise<void> {
    const query = request.query as Record<string, string>
    await authorise(await whoCalls(can, request, query), can, pathOf(request.url), services)
  }

  const counts = new LRUCache<string, { hits: number }>({ max: 10_000, ttl: 60_000 })
  const countHere = (key: string): number => {
    const hit = counts.get(key)
    if (!hit) counts.set(key, { hits: 1 })
    return hit ? ++hit.hits : 1
  }

  async function limitRate(routeSpec: Route, request: FastifyRequest): Promise<void> {
    if (!routeSpec.perMinute) return
    const key = `rate/${routeSpec.path}/${request.ip}`
    const count = await services.shared.increment(key, 60).catch((error: unknown) => {
      // Reading goes on when nothing can be counted for all processes: then each counts for itself.
      if (!isPassing(error)) throw error
      return countHere(key)
    })
    if (count > routeSpec.perMinute) throw new Refused('too_many_requests', { seconds: 60 })
  }

  async function travel(routeSpec: Route, request: FastifyRequest, reply: FastifyReply, raw: Raw): Promise<unknown> {
    const started = performance.now()
    const lang = langOf(request.headers['accept-language'])
    const traceId = request.id
    let caller: Caller | undefined
    const path = pathOf(request.url)
    const entry = (status: number, reason?: string): OperationEntry => ({
      caller,
      tenantId: caller?.tenantId || '000000',
      title: routeSpec.title.zh,
      method: request.method,
      uri: path,
      params: paramsOf(routeSpec, raw),
      ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? ''),
      millis: Math.round(performance.now() - started),
      traceId,
      status,
      reason,
    })
    const isLogged = request.method !== 'GET' && routeSpec.log !== false
    let leave: (() => void) | undefined
    try {
      await limitRate(routeSpec, request)
      caller = await whoCalls(routeSpec.can, request, raw.query)
      if (caller.mustChangePassword && !routeSpec.beforePassword && !isOpen(routeSpec.can))
        throw new Refused('password_must_change')
      await authorise(caller, routeSpec.can, path, services, routeSpec)
      // Only now: strangers do not get to fill the memory.
      leave = await placeForFile(routeSpec, request, caller)
      if (routeSpec.uploadMaxBytes) await takeFile(routeSpec, request, raw).catch(notReadable)
      const call: Call<any> = {
        caller,
        lang,
        db: noDb,
        input: routeSpec.input ? parseInput(routeSpec.input, argumentsOf(raw)) : {},
        body: raw.body,
        query: raw.query,
        services,
        request: {
          ip: request.ip,
          userAgent: String(request.headers['user-agent'] ?? ''),
          method: request.method,
          url: request.url,
          headers: request.headers,
          traceId,
        },
        file: raw.file,
        reply: (answer) => new Reply(answer),
      }
      if (routeSpec.method === 'POST' && routeSpec.tx !== false && services.isFull?.()) throw new Refused('disk_full')
      const { tenantId, ...actor } = { ...actorOf(caller), tenantId: caller.tenantId || '000000', via: routeSpec.path }
      const inUnit = (db: Db) =>
        Promise.resolve(routeSpec.handle({ ...call, db })).then((result) => {
          if (isLogged) services.logs.operation(entry(200), db)
          return result
        })
      const handle = async () =>
        routeSpec.tx === false ? routeSpec.handle(call) : unitOfWork(services.pool, { tenantId }, actor, inUnit)
      const answer = await (routeSpec.method === 'GET' ? twice(handle) : handle())
      if (routeSpec.tx === false && isLogged) services.logs.operation(entry(200))
      if (answer instanceof Reply && answer.take) {
        reply.hijack()
        return answer.take(reply.raw)
      }
      if (answer instanceof Reply) return reply.status(answer.status).headers(answer.headers).send(answer.body)
      return reply.send(routeSpec.bare ? answer : success(answer, lang))
    } catch (error) {
      if (reply.sent || reply.raw.headersSent) {
        services.log.error({ err: error, traceId }, 'failed after the answer had begun')
        return reply.raw.destroy()
      }
      // What Fastify's own parsers refuse (a file too big) is worded where all of that is worded:
      // apps/server/src/http.ts.
      if (!(error instanceof Refused) && isClientError(error)) throw error
      const refused = error instanceof Refused ? error : refusalOfDatabase(error)
      if (refused) {
        if (refused !== error) {
          services.log.warn({ err: error, traceId }, 'refused by the database')
          services.noteRefusal?.(error)
        }
        const { status, body } = refusal(refused, lang)
        if (isLogged && caller?.userId) services.logs.operation(entry(status, refused.code))
        if (refused.code === 'too_many_requests') void reply.header('retry-after', String(refused.params.seconds ?? 60))
        else if (status === 503) void reply.header('retry-after', TRY_AGAIN_SECONDS)
        return reply.status(status).send(body)
      }
      services.log.error({ err: error, traceId }, 'crashed')
      services.logs.error(entry(500), error)
      const { status, body } = crash(traceId, lang)
      return reply.status(status).send(body)
    } finally {
      leave?.()
    }
  }

  const mounted: Route[] = []
  return {
    mounted,
    mount(routeSpec: Route): void {
      mounted.push(routeSpec)
      app.route({
        method: routeSpec.method === 'ANY' ? ['GET', 'POST'] : routeSpec.method,
        url: routeSpec.path,
        // A file comes as a form, which is read in pieces once it is known who sends it; every other body is read
        // whole.
        bodyLimit: routeSpec.bodyMaxBytes ?? BODY_MAX,
        ...(routeSpec.bodyMaxBytes && { preParsing: async (request) => void (await knownFirst(routeSpec, request)) }),
        // Fastify would answer HEAD for every GET; a head of a list costs as much as the list.
        exposeHeadRoute: routeSpec.head ?? false,
        handler: async (request, reply) => {
          const raw: Raw = {
            query: { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) },
            body: request.body,
          }
          const lane = request.method === 'GET' ? 'read' : 'write'
          const patienceMs = services.config.patienceMs ?? PATIENCE_MS
          return asAsked({ lane, patienceMs }, () => travel(routeSpec, request, reply, raw))
        },
      })
    },
  }
}

/** A form that ends in the middle is the sender's fault too, though its reader gives the error no status. */
function notReadable(error: unknown): never {
  throw isClientError(error) ? error : new Refused('bad_body')
}

async function takeFile(routeSpec: Route, request: FastifyRequest, raw: Raw): Promise<void> {
  if (!request.isMultipart()) return
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts({
    limits: { files: 1, fields: 20, fileSize: routeSpec.uploadMaxBytes, fieldSize: 10_000 },
  })) {
    if (part.type === 'file')
      raw.file = { name: part.filename ?? '', bytes: await part.toBuffer(), type: part.mimetype }
    else if (typeof part.value === 'string') fields[part.fieldname] = part.value
  }
  raw.body = fields
}

export const newTraceId = () => randomBytes(6).toString('hex')
