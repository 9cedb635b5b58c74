import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAuthentication, tokenFromRequest, tokenFromCookie, type Authentication } from './authenticate.ts'
import { PoolExhaustedError } from '../database/admission.ts'
import type { Caller } from '../caller.ts'
import { isConnectionLoss, isDiskFullError, CommitOutcomeUnknownError } from '../database/connections.ts'
import { withConnectionLimits, unitOfWork, type Actor, type Db } from '../database/db.ts'
import { crashResponse, refusalResponse, successEnvelope } from './envelope.ts'
import { findApprovalGate, PendingApproval, pendingApprovalRefusal } from './approval-gate.ts'
import {
  createCall,
  auditEntryOf,
  isAudited,
  parseAcceptLanguage,
  decodedPathOf,
  createRequestContext,
  tenantIdOfCaller,
  type RequestContext,
} from './request-context.ts'
import { installLoadShedding } from './load-shedding.ts'
import { networkPrefixOf } from './egress.ts'
import { accessRefusal, isApiScopeChecked, isPublicAccess, isTerminalAccess, type RouteAccess } from './permit.ts'
import { createRateLimit } from './rate-limit.ts'
import { Refused } from '../refused.ts'
import { createTrace } from '../trace.ts'
import { HttpReply, type Call, type AccessRule, type Route } from '../module.ts'
import type { Services } from '../services.ts'
import { createUploadAdmission, isClientError, readMultipartForm } from './uploads.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** Whether the body stays as it came (`Route.raw`). */
    raw?: boolean
  }
}

/** Someone who has not signed in: no rights, no rows. */
export const anonymousCaller: Caller = {
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

export const actorOfCaller = (caller: Caller): Actor => ({
  userId: caller.userId || '0',
  deptId: caller.deptIds[0] ?? null,
})

/**
 * Station "authorise": refuses who may not — permission first, then the API scopes that guard the path, read only where
 * they count.
 */
async function admit(caller: Caller, door: RouteAccess, path: string, { access, registry }: Services): Promise<void> {
  const guarded = isApiScopeChecked(caller, door.can) ? await access.guardedPaths() : []
  const denied = accessRefusal(caller, door, path, { guarded, addresses: registry.addresses })
  if (denied) throw denied
}

/** The same for a call made in somebody's name, or one that is not read yet. */
export async function authoriseCall(
  caller: Caller,
  can: AccessRule,
  path: string,
  services: Services,
  route: Omit<RouteAccess, 'can'> = {},
): Promise<void> {
  // Whose password has to be changed first came by a door that is open to them.
  await admit(caller, { ...route, can, allowedBeforePasswordChange: true }, path, services)
}

/**
 * What PostgreSQL refuses because of the caller's values, because others were faster, or because it is away or full is
 * a refusal, not a crash.
 */
export function databaseErrorRefusal(error: unknown): Refused | undefined {
  if (error instanceof CommitOutcomeUnknownError) return new Refused('outcome_unknown')
  if (error instanceof PoolExhaustedError) return new Refused('crowded')
  if (isConnectionLoss(error)) return new Refused('unavailable')
  if (isDiskFullError(error)) return new Refused('disk_full')
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? refusalOfSqlState(code) : undefined
}

function refusalOfSqlState(code: string): Refused | undefined {
  if (code === '22003') return new Refused('number_too_big')
  if (code.startsWith('22')) return new Refused('bad_request')
  if (code === '23505') return new Refused('taken', { label: { zh: '相同的数据', en: 'Same data' } })
  if (code === '40001' || code === '40P01' || code === '55P03') return new Refused('busy')
  // Cut short, out of memory, or a stand-by that only reads: another moment or another server does it.
  if (code === '57014' || code === '25006' || code.startsWith('53')) return new Refused('unavailable')
  return undefined
}

/** How long a call waits for a database connection before it is told to come again. */
const PATIENCE_MS = 3000
const RETRY_AFTER_SECONDS = '2'
/** A body is parsed at once, while nobody else is answered: so much of it takes some milliseconds. */
const BODY_MAX = 1_048_576

/** Looking is tried again on another connection when the first was lost; changing is not (docs/decisions/0022). */
const retryLostRead = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof CommitOutcomeUnknownError || !isConnectionLoss(error)) throw error
    return work()
  })

/** Calls at once for each database connection: half a second of work, more where callers have more patience. */
const callsPerConnection = (patienceMs = PATIENCE_MS) => Math.ceil((16 * patienceMs) / PATIENCE_MS)

/**
 * Mounts routes on Fastify: each request passes the pipeline of docs/architecture.md, whose steps `runPipeline`
 * names.
 */
export function createPipeline(app: FastifyInstance, services: Services) {
  const { callerOf, lastTenantOf } = createAuthentication(services)
  const whoCalls = createIdentify(services, callerOf)
  const limitRate = createRateLimit(services.shared)
  const uploads = createUploadAdmission()
  const bodyOf = createBodies(services, whoCalls)
  installLoadShedding(app, loadLimits(services, lastTenantOf))

  async function runPipeline(journey: RequestContext): Promise<void> {
    const { spec, request, raw, path } = journey
    let leave: (() => void) | undefined
    try {
      if (spec.perMinute) await limitRate(spec, request)
      const caller = (journey.caller = await whoCalls(spec, request, raw.query))
      await admit(caller, spec, path, services)
      // Only now: strangers do not get to fill the memory.
      leave = await uploads.enter(journey, caller)
      if (spec.uploadMaxBytes) await readMultipartForm(journey)
      const call = createCall(journey, caller, services)
      refuseFullDisk(spec, services)
      await sendResponse(journey, await runHandler(journey, call))
    } catch (error) {
      sendError(journey, error, services)
    } finally {
      leave?.()
    }
  }

  const mounted: Route[] = []
  return {
    mounted,
    mount(spec: Route): void {
      mounted.push(spec)
      app.route({
        method: spec.method === 'ANY' ? ['GET', 'POST'] : spec.method,
        url: spec.path,
        ...bodyOf(spec),
        // Fastify would answer HEAD for every GET; a head of a list costs as much as the list.
        exposeHeadRoute: spec.head ?? false,
        handler: toRequestHandler(spec, services, runPipeline),
      })
    },
  }
}

/** How the body of a route is read, and who is looked at first. */
function createBodies(services: Services, whoCalls: ReturnType<typeof createIdentify>) {
  /** A longer body than usual is read for those alone who may send one. */
  async function knownFirst({ can, authorizeUpload }: Route, request: FastifyRequest): Promise<void> {
    const query = request.query as Record<string, string>
    await authoriseCall(await whoCalls({ can }, request, query), can, decodedPathOf(request.url), services)
    await authorizeUpload?.({ ...query, ...(request.params as Record<string, string>) }, services)
  }

  return (spec: Route) => ({
    // A file comes as a form, which is read in pieces once it is known who sends it; every other body is read whole.
    bodyLimit: spec.bodyMaxBytes ?? BODY_MAX,
    config: { raw: spec.raw ?? false },
    ...(spec.bodyMaxBytes && { preParsing: async (request: FastifyRequest) => void (await knownFirst(spec, request)) }),
    // Who only asks sends no body that could be packed.
    ...(spec.method === 'GET' && { decompress: false as const }),
  })
}

/** No promise for Fastify: waiting for a reply, each function that returns one would watch its socket. */
const toRequestHandler =
  (spec: Route, services: Services, passStations: (journey: RequestContext) => Promise<void>) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const lane = request.method === 'GET' ? 'read' : 'write'
    const acquireTimeoutMs = services.config.acquireTimeoutMs ?? PATIENCE_MS
    request.trace = createTrace(request.id)
    const journey = createRequestContext(spec, request, reply)
    withConnectionLimits({ lane, acquireTimeoutMs }, () => passStations(journey), request.trace).catch(
      (error: unknown) => void reply.send(error),
    )
  }

/** Before the pipeline: who is turned away when there are more calls than can be answered in time. */
const loadLimits = (
  services: Services,
  lastTenantOf: (token: string) => string | undefined,
): Parameters<typeof installLoadShedding>[1] => ({
  places: (services.pool.options.max ?? 10) * callsPerConnection(services.config.acquireTimeoutMs),
  keyOf: (request) => {
    const token = tokenFromRequest(request.headers, request.query as Record<string, string>)
    // Who has not signed in, and whose token was never seen here, counts by address.
    return (token && lastTenantOf(token)) ?? networkPrefixOf(request.ip)
  },
  refuse: (request, reply) => {
    const { status, body } = refusalResponse(
      new Refused('crowded'),
      parseAcceptLanguage(request.headers['accept-language']),
    )
    void reply.status(status).header('retry-after', RETRY_AFTER_SECONDS).send(body)
  },
})

/** Station "who calls": a device by its own credentials, a person by a token, and a stranger where the door is open. */
const createIdentify =
  (services: Services, callerOf: Authentication['callerOf']) =>
  async (
    { can, tokenInCookie }: Pick<Route, 'can' | 'tokenInCookie'>,
    request: FastifyRequest,
    query: Record<string, string>,
  ): Promise<Caller> => {
    if (isTerminalAccess(can)) {
      const terminal = await services.access.terminalOf(request.headers)
      if (!terminal) throw new Refused('not_signed_in')
      return terminal
    }
    const token =
      tokenFromRequest(request.headers, query) ?? (tokenInCookie ? tokenFromCookie(request.headers) : undefined)
    // A stale token must not break public calls (wire contract §1.1).
    const caller = token ? await callerOf(token) : undefined
    if (!caller && !isPublicAccess(can))
      throw new Refused('not_signed_in', {}, token ? { ended: await services.access.endOf?.(token) } : {})
    return caller ?? anonymousCaller
  }

function refuseFullDisk({ method, tx }: Route, services: Services): void {
  if (method === 'POST' && tx !== false && services.isFull?.()) throw new Refused('disk_full')
}

/** One transaction in the tenant's name: the handler, and the operation log with what it wrote. */
async function runHandler(journey: RequestContext, call: Call<any>): Promise<unknown> {
  const { spec } = journey
  const { caller, services } = call
  const tenantId = tenantIdOfCaller(caller)
  await services.own?.ready(caller.tenantId)
  const unit = <T>(inUnit: (db: Db) => Promise<T>) =>
    unitOfWork(
      services.pool,
      { tenantId, genericPlans: spec.genericPlans },
      { ...actorOfCaller(caller), via: spec.path },
      inUnit,
    )
  const gate = await findApprovalGate(spec, call)
  const inUnit = async (db: Db) => {
    const inside = { ...call, db }
    const result = (await gate?.hold(spec, inside)) ?? (await spec.handle(inside))
    if (isAudited(journey))
      services.logs.operation(auditEntryOf(journey, result instanceof PendingApproval ? ACCEPTED : 200), db)
    return result
  }
  const work = async () =>
    spec.tx !== false
      ? unit(inUnit)
      : ((gate && (await unit((db) => gate.hold(spec, { ...call, db })))) ?? spec.handle(call))
  const answer = await (spec.method === 'GET' ? retryLostRead(work) : work())
  if (spec.tx === false && isAudited(journey))
    services.logs.operation(auditEntryOf(journey, answer instanceof PendingApproval ? ACCEPTED : 200))
  return answer
}

/** Taken in, and not done yet. */
const ACCEPTED = 202

/** The handler's answer: in its envelope, unless it has a form of its own. */
function sendResponse({ spec, reply, lang }: RequestContext, answer: unknown): unknown {
  if (answer instanceof HttpReply && answer.take) {
    // Whoever takes the answer writes it without Fastify: what is said of every answer is said of this one too.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    return answer.take(reply.raw)
  }
  if (answer instanceof PendingApproval)
    return void reply.status(ACCEPTED).send(refusalResponse(pendingApprovalRefusal(answer), lang).body)
  if (answer instanceof HttpReply) return void reply.status(answer.status).headers(answer.headers).send(answer.body)
  return void reply.send(spec.rawResponse ? answer : successEnvelope(answer, lang))
}

/** What a station threw, as an answer: a refusal with its sentence, or a crash with a trace id and nothing else. */
function sendError(journey: RequestContext, error: unknown, services: Services): void {
  const { reply, lang } = journey
  if (reply.sent || reply.raw.headersSent) {
    services.log.error({ err: error }, 'failed after the answer had begun')
    return void reply.raw.destroy()
  }
  // What Fastify's own parsers refuse (a file too big) is worded where all of that is worded: apps/server/src/http.ts.
  if (!(error instanceof Refused) && isClientError(error)) throw error
  const refused = error instanceof Refused ? error : databaseErrorRefusal(error)
  if (refused && refused !== error) {
    services.log.warn({ err: error }, 'refused by the database')
    services.noteRefusal?.(error)
  }
  if (refused) return sendRefusal(journey, refused, services)
  services.log.error({ err: error }, 'crashed')
  services.logs.error(auditEntryOf(journey, 500), error)
  const { status, body } = crashResponse(journey.request.id, lang)
  void reply.status(status).send(body)
}

function sendRefusal(journey: RequestContext, refused: Refused, services: Services): void {
  const { reply, caller, lang } = journey
  const { status, body } = refusalResponse(refused, lang)
  if (isAudited(journey) && caller?.userId) services.logs.operation(auditEntryOf(journey, status, refused.code))
  if (refused.code === 'too_many_requests') void reply.header('retry-after', String(refused.params.seconds ?? 60))
  else if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS)
  void reply.status(status).send(body)
}
