import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEmptyInput } from '../../fields/field-kind.ts'
import type { Lang } from '../../resource/localized-text.ts'
import { MANAGEMENT_TENANT, type Caller } from '../caller.ts'
import type { Db } from '../database/db.ts'
import { requestBodyObject } from './asked.ts'
import { parseInput } from './parse-input.ts'
import { isTerminalAccess } from './permit.ts'
import { HttpReply, type Call, type Route } from '../module.ts'
import { SECRET_MASK } from '../security/index.ts'
import type { OperationEntry, Services } from '../services.ts'
import { sanitizeForStorage } from '../outside-json.ts'

/** Language of an answer: English when the reader asks for it first, Chinese otherwise. */
export const parseAcceptLanguage = (header: string | string[] | undefined): Lang =>
  /^\s*en\b/i.test(String(header ?? '')) ? 'en' : 'zh'

/** The path as routes see it: "%6c" is "l", so that no other spelling of an address goes past its guard. */
export function decodedPathOf(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What a request brings, as its reader leaves it. */
type RawRequest = { query: Record<string, string>; body: unknown; bytes?: Buffer; files?: NonNullable<Call['file']>[] }

/** One request in the pipeline, and what its stations have found out so far. */
export type RequestContext = {
  readonly spec: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly raw: RawRequest
  readonly lang: Lang
  readonly path: string
  readonly started: number
  /** Known from the first station on. */
  caller: Caller | undefined
}

export const createRequestContext = (spec: Route, request: FastifyRequest, reply: FastifyReply): RequestContext => ({
  spec,
  request,
  reply,
  raw: {
    query: { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) },
    ...(Buffer.isBuffer(request.body) ? { body: undefined, bytes: request.body } : { body: request.body }),
  },
  lang: parseAcceptLanguage(request.headers['accept-language']),
  path: decodedPathOf(request.url),
  started: performance.now(),
  caller: undefined,
})

/** In whose name a call works: who has not signed in reads what the platform shows to all. */
export const tenantIdOfCaller = (caller: Caller | undefined): string => caller?.tenantId || MANAGEMENT_TENANT

const userAgentOf = ({ headers }: FastifyRequest) => String(headers['user-agent'] ?? '')

const unavailableDb = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('this route has tx: false and no db')
    },
  },
) as Db

/**
 * What the handler is given: the declared fields are read here, and refused by name. What a register cannot help, such
 * as half a character in a name, it would send again for ever: that is made storable before.
 */
export function createCall(
  { spec, request, raw: given, lang }: RequestContext,
  caller: Caller,
  services: Services,
): Call<any> {
  const raw = isTerminalAccess(spec.can)
    ? { ...given, body: sanitizeForStorage(given.body), query: sanitizeForStorage(given.query) }
    : given
  return {
    caller,
    lang,
    db: unavailableDb,
    input: spec.input ? parseInput(spec.input, argumentsOf(raw)) : {},
    body: raw.body,
    bytes: raw.bytes,
    query: raw.query,
    services,
    request: {
      ip: request.ip,
      userAgent: userAgentOf(request),
      method: request.method,
      url: request.url,
      headers: request.headers,
      traceId: request.id,
    },
    file: raw.files?.[0],
    files: raw.files,
    reply: (answer) => new HttpReply(answer),
  }
}

export const isAudited = ({ spec, request }: RequestContext): boolean => request.method !== 'GET' && spec.log !== false

/** The journey as the operation log keeps it. */
export function auditEntryOf(journey: RequestContext, status: number, reason?: string): OperationEntry {
  const { spec, request, raw, caller, path, started } = journey
  return {
    caller,
    tenantId: tenantIdOfCaller(caller),
    title: spec.title.zh,
    method: request.method,
    uri: path,
    params: paramsOf(spec, raw),
    ip: request.ip,
    userAgent: userAgentOf(request),
    millis: Math.round(performance.now() - started),
    traceId: request.id,
    status,
    reason,
  }
}

function argumentsOf(raw: RawRequest): Record<string, unknown> {
  const query = Object.fromEntries(Object.entries(raw.query).filter(([, value]) => !isEmptyInput(value)))
  return { ...requestBodyObject(raw), ...query }
}

/** Arguments for the log, which masks by name; a route's input declared secret is none of its business. */
function paramsOf(spec: Route, raw: RawRequest): Record<string, unknown> {
  const secrets = Object.entries(spec.input ?? {})
    .filter(([, field]) => field.secret)
    .map(([name]) => name)
  const without = (given: object) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, secrets.includes(name) ? SECRET_MASK : value]),
    )
  const body =
    typeof raw.body === 'object' && raw.body && secrets.length && !Array.isArray(raw.body)
      ? without(raw.body)
      : raw.body
  return { ...without(raw.query), ...(typeof body === 'object' && body ? { body } : {}) }
}
