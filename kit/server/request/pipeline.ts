import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAuthentication, tokenFromRequest, tokenFromCookie, type Authentication } from './authenticate.ts'
import { PoolExhaustedError } from '../database/admission.ts'
import type { Caller } from '../base/caller.ts'
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
import { Refused } from '../base/refused.ts'
import { createTrace } from '../base/trace.ts'
import { HttpReply, type Call, type AccessRule, type Route } from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { createUploadAdmission, isClientError, readMultipartForm } from './uploads.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** Keeps the body unparsed (`Route.raw`). */
    raw?: boolean
  }
}

/** Caller of a request without sign-in: no permissions, no rows. */
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
 * Refuses callers who may not call the route: by permission, then by the API scopes that protect the path, which are
 * read only where they apply.
 */
async function admit(caller: Caller, door: RouteAccess, path: string, { access, registry }: Services): Promise<void> {
  const guarded = isApiScopeChecked(caller, door.can) ? await access.guardedPaths() : []
  const denied = accessRefusal(caller, door, path, { guarded, addresses: registry.addresses })
  if (denied) throw denied
}

/** Checks access for a call made on someone's behalf, or whose body has not been read yet. Throws the refusal. */
export async function authoriseCall(
  caller: Caller,
  can: AccessRule,
  path: string,
  services: Services,
  route: Omit<RouteAccess, 'can'> = {},
): Promise<void> {
  // Callers who must change their password first have already been checked by the outer route.
  await admit(caller, { ...route, can, allowedBeforePasswordChange: true }, path, services)
}

/**
 * Turns database errors into refusals where they are no crash: caused by the caller's values, by concurrent changes, or
 * because the database is unreachable or full. Undefined for other errors.
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
  // Statement timeout, out of resources, or a read-only standby: may succeed later or on another server.
  if (code === '57014' || code === '25006' || code.startsWith('53')) return new Refused('unavailable')
  return undefined
}

/** Milliseconds a call waits for a database connection before it is refused as busy. */
const ACQUIRE_TIMEOUT_MS = 3000
const RETRY_AFTER_SECONDS = '2'
/** Maximum body in bytes: parsing blocks the process, for this size some milliseconds. */
const BODY_MAX = 1_048_576

/** Retries a read once on another connection if the first was lost; writes are never retried (docs/decisions/0022). */
const retryLostRead = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof CommitOutcomeUnknownError || !isConnectionLoss(error)) throw error
    return work()
  })

/** Requests at once for each database connection: about half a second of work, more if callers wait longer. */
const callsPerConnection = (acquireTimeoutMs = ACQUIRE_TIMEOUT_MS) =>
  Math.ceil((16 * acquireTimeoutMs) / ACQUIRE_TIMEOUT_MS)

/** Creates the request pipeline (docs/architecture.md) and mounts routes on Fastify; its steps are in `runPipeline`. */
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
      // After authentication, so that strangers cannot fill the memory.
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
        // Fastify would answer HEAD for every GET, at the cost of a GET.
        exposeHeadRoute: spec.head ?? false,
        handler: toRequestHandler(spec, services, runPipeline),
      })
    },
  }
}

/** Fastify options for reading a route's body, and which routes are authorised before it is read. */
function createBodies(services: Services, whoCalls: ReturnType<typeof createIdentify>) {
  /** Authorises the caller before a body larger than usual is read. */
  async function knownFirst({ can, authorizeUpload }: Route, request: FastifyRequest): Promise<void> {
    const query = request.query as Record<string, string>
    await authoriseCall(await whoCalls({ can }, request, query), can, decodedPathOf(request.url), services)
    await authorizeUpload?.({ ...query, ...(request.params as Record<string, string>) }, services)
  }

  return (spec: Route) => ({
    // Files come as forms, read in parts after authentication; every other body is read whole.
    bodyLimit: spec.bodyMaxBytes ?? BODY_MAX,
    config: { raw: spec.raw ?? false },
    ...(spec.bodyMaxBytes && { preParsing: async (request: FastifyRequest) => void (await knownFirst(spec, request)) }),
    // GET requests have no body to decompress.
    ...(spec.method === 'GET' && { decompress: false as const }),
  })
}

/** Returns no promise to Fastify, which for each pending one would watch the socket. */
const toRequestHandler =
  (spec: Route, services: Services, passStations: (journey: RequestContext) => Promise<void>) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const lane = request.method === 'GET' ? 'read' : 'write'
    const acquireTimeoutMs = services.config.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS
    request.trace = createTrace(request.id)
    const journey = createRequestContext(spec, request, reply)
    withConnectionLimits({ lane, acquireTimeoutMs }, () => passStations(journey), request.trace).catch(
      (error: unknown) => void reply.send(error),
    )
  }

/** Settings of load shedding: number of requests at once, key and refusal. */
const loadLimits = (
  services: Services,
  lastTenantOf: (token: string) => string | undefined,
): Parameters<typeof installLoadShedding>[1] => ({
  places: (services.pool.options.max ?? 10) * callsPerConnection(services.config.acquireTimeoutMs),
  keyOf: (request) => {
    const token = tokenFromRequest(request.headers, request.query as Record<string, string>)
    // Requests without a token, or with one not seen here before, are counted by client address.
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

/** Identifies the caller: a device by its credentials, a person by token; on public routes also a stranger. */
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
    // An expired token must not break public routes (wire contract §1.1).
    const caller = token ? await callerOf(token) : undefined
    if (!caller && !isPublicAccess(can))
      throw new Refused('not_signed_in', {}, token ? { ended: await services.access.endOf?.(token) } : {})
    return caller ?? anonymousCaller
  }

function refuseFullDisk({ method, tx }: Route, services: Services): void {
  if (method === 'POST' && tx !== false && services.isFull?.()) throw new Refused('disk_full')
}

/** Runs the handler and writes the operation log, in one transaction for the caller's tenant. */
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

/** HTTP status "accepted, not done yet". */
const ACCEPTED = 202

/** Sends the handler's result: in the envelope, or as the `HttpReply` it returned. */
function sendResponse({ spec, reply, lang }: RequestContext, answer: unknown): unknown {
  if (answer instanceof HttpReply && answer.take) {
    // The handler writes the response without Fastify, so the common headers are copied to it.
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

/** Sends an error: a refusal with its message, or a crash with only a trace id. */
function sendError(journey: RequestContext, error: unknown, services: Services): void {
  const { reply, lang } = journey
  if (reply.sent || reply.raw.headersSent) {
    services.log.error({ err: error }, 'failed after the answer had begun')
    return void reply.raw.destroy()
  }
  // Errors of Fastify's own parsers (file too large) get their messages in apps/server/src/http.ts.
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
