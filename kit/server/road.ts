import '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { isEmpty } from '../fields/field-kind.ts'
import type { Fields } from '../fields/field-kind.ts'
import type { Lang } from '../resource/words.ts'
import { createAuthentication, tokenOf } from './authenticate.ts'
import { may, type Caller } from './caller.ts'
import { unitOfWork, type Actor, type Db } from './db.ts'
import { crash, refusal, success } from './envelope.ts'
import { parseInput } from './parse-input.ts'
import { Refused } from './refused.ts'
import { Reply, type Call, type Can, type Route } from './room.ts'
import { masked } from './security/index.ts'
import type { OperationEntry, Services } from './services.ts'

/** Language of an answer: English when the reader asks for it first, Chinese otherwise. */
export const langOf = (header: string | string[] | undefined): Lang => (/^\s*en\b/i.test(String(header ?? '')) ? 'en' : 'zh')

/** Someone who has not signed in: no rights, no rows. */
export const stranger: Caller = {
  userId: '', tenantId: '', account: '', name: '', sessionId: '', clientId: '', roleIds: [], roleAliases: [], deptIds: [], deptTreeIds: [],
  isPlatform: false, isAdmin: false, permissions: new Set(), dataScopes: [], apiScopeIds: new Set(), limits: {},
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
export async function authorise(caller: Caller, can: Can, path: string, services: Services): Promise<void> {
  if (isOpen(can) || isTerminal(can)) return
  if (typeof can === 'string' ? !may(caller, can) : Array.isArray(can) ? !can.some((code) => may(caller, code as string)) : 'platform' in can && !caller.isPlatform) {
    throw new Refused(typeof can === 'object' && 'platform' in can ? 'platform_only' : 'forbidden')
  }
  if (caller.isAdmin) return
  const guards = (await services.access.guardedPaths()).filter((guard) => path.includes(guard.path))
  if (guards.length && !guards.some((guard) => caller.apiScopeIds.has(guard.id))) throw new Refused('forbidden')
}

/** What PostgreSQL refuses because of the caller's values or because others were faster is a refusal, not a crash. */
export function refusalOfDatabase(error: unknown): Refused | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  if (code.startsWith('22')) return new Refused('bad_request')
  if (code === '23505') return new Refused('taken', { label: { zh: '数据', en: 'This row' } })
  if (code === '40001' || code === '40P01' || code === '55P03') return new Refused('busy')
  if (code === '57014') return new Refused('unavailable')
  return undefined
}

const isClientError = (error: unknown): boolean => {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' && status >= 400 && status < 500
}

type Raw = { query: Record<string, string>; body: unknown; file?: Call['file'] }

function argumentsOf(raw: Raw): Record<string, unknown> {
  const body = typeof raw.body === 'object' && raw.body !== null && !Array.isArray(raw.body) ? (raw.body as Record<string, unknown>) : {}
  const query = Object.fromEntries(Object.entries(raw.query).filter(([, value]) => !isEmpty(value)))
  return { ...body, ...query }
}

/** Arguments for the log, which masks by name; a route's input declared secret is none of its business. */
function paramsOf(routeSpec: Route, raw: Raw): Record<string, unknown> {
  const secrets = Object.entries((routeSpec.input ?? {}) as Fields).filter(([, field]) => field.secret).map(([name]) => name)
  const without = (given: object) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secrets.includes(name) ? masked : value]))
  const body = typeof raw.body === 'object' && raw.body && secrets.length && !Array.isArray(raw.body) ? without(raw.body) : raw.body
  return { ...without(raw.query), ...(typeof body === 'object' && body ? { body } : {}) }
}

/** Mounts routes on Fastify: each request goes down the road of docs/architecture.md §3, station by station. */
export function createRoad(app: FastifyInstance, services: Services) {
  const authenticate = createAuthentication(services)
  const noDb = new Proxy({}, { get: () => () => { throw new Error('this route has tx: false and no db') } }) as Db

  async function whoCalls(can: Can, request: FastifyRequest, query: Record<string, string>): Promise<Caller> {
    if (isTerminal(can)) {
      const terminal = await services.access.terminalOf(request.headers)
      if (!terminal) throw new Refused('not_signed_in')
      return terminal
    }
    const token = tokenOf(request.headers, query)
    // A stale token must not break public calls (wire contract §1.1).
    const caller = token ? await authenticate(token) : undefined
    if (!caller && !isOpen(can)) throw new Refused('not_signed_in')
    return caller ?? stranger
  }

  async function limitRate(routeSpec: Route, request: FastifyRequest): Promise<void> {
    if (!routeSpec.perMinute) return
    const count = await services.shared.increment(`rate/${routeSpec.path}/${request.ip}`, 60)
    if (count > routeSpec.perMinute) throw new Refused('too_many_requests', { seconds: 60 })
  }

  async function travel(routeSpec: Route, request: FastifyRequest, reply: FastifyReply, raw: Raw): Promise<unknown> {
    const started = performance.now()
    const lang = langOf(request.headers['accept-language'])
    const traceId = request.id
    let caller: Caller | undefined
    const path = pathOf(request.url)
    const entry = (status: number, reason?: string): OperationEntry => ({
      caller, tenantId: caller?.tenantId || '000000', title: routeSpec.title.zh, method: request.method, uri: path,
      params: paramsOf(routeSpec, raw), ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? ''), millis: Math.round(performance.now() - started), traceId, status, reason,
    })
    const isLogged = request.method !== 'GET' && routeSpec.log !== false
    try {
      await limitRate(routeSpec, request)
      caller = await whoCalls(routeSpec.can, request, raw.query)
      await authorise(caller, routeSpec.can, path, services)
      // Only now: strangers do not get to fill the memory.
      if (routeSpec.uploadMaxBytes) await takeFile(routeSpec, request, raw).catch(notReadable)
      const call: Call<any> = {
        caller, lang, db: noDb, input: routeSpec.input ? parseInput(routeSpec.input as Fields, argumentsOf(raw)) : {}, body: raw.body, query: raw.query, services,
        request: { ip: request.ip, userAgent: String(request.headers['user-agent'] ?? ''), method: request.method, url: request.url, headers: request.headers, traceId },
        file: raw.file, reply: (answer) => new Reply(answer),
      }
      const answer = routeSpec.tx === false
        ? await routeSpec.handle(call)
        : await unitOfWork(services.pool, { tenantId: caller.tenantId || '000000' }, { ...actorOf(caller), via: routeSpec.path }, async (db) => {
            const result = await routeSpec.handle({ ...call, db })
            if (isLogged) services.logs.operation(entry(200), db)
            return result
          })
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
      // What Fastify's own parsers refuse (a file too big) is worded where all of that is worded: apps/server/src/http.ts.
      if (!(error instanceof Refused) && isClientError(error)) throw error
      const refused = error instanceof Refused ? error : refusalOfDatabase(error)
      if (refused) {
        if (refused !== error) services.log.warn({ err: error, traceId }, 'refused by the database')
        const { status, body } = refusal(refused, lang)
        if (isLogged && caller?.userId) services.logs.operation(entry(status, refused.code))
        if (refused.code === 'too_many_requests') void reply.header('retry-after', String(refused.params.seconds ?? 60))
        return reply.status(status).send(body)
      }
      services.log.error({ err: error, traceId }, 'crashed')
      services.logs.error(entry(500), error)
      const { status, body } = crash(traceId, lang)
      return reply.status(status).send(body)
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
        bodyLimit: routeSpec.uploadMaxBytes ?? routeSpec.bodyMaxBytes ?? 1_048_576,
        // Fastify would answer HEAD for every GET; a head of a list costs as much as the list.
        exposeHeadRoute: routeSpec.head ?? false,
        handler: async (request, reply) => {
          const raw: Raw = { query: { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) }, body: request.body }
          return travel(routeSpec, request, reply, raw)
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
  for await (const part of request.parts({ limits: { files: 1, fields: 20, fileSize: routeSpec.uploadMaxBytes, fieldSize: 10_000 } })) {
    if (part.type === 'file') raw.file = { name: part.filename ?? '', bytes: await part.toBuffer(), type: part.mimetype }
    else if (typeof part.value === 'string') fields[part.fieldname] = part.value
  }
  raw.body = fields
}

export const newTraceId = () => randomBytes(6).toString('hex')
