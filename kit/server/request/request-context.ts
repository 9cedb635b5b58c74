import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEmptyInput } from '../../fields/base/field-kind.ts'
import type { Lang } from '../../base/localized-text.ts'
import { MANAGEMENT_TENANT, type Caller } from '../base/caller.ts'
import type { Db } from '../database/db.ts'
import { requestBodyObject } from './requested-operation.ts'
import { parseInput } from './parse-input.ts'
import { isTerminalAccess } from './permit.ts'
import { HttpReply, type Call, type Route } from '../module/module.ts'
import { SECRET_MASK } from '../base/mask.ts'
import type { OperationEntry, Services } from '../module/services.ts'
import { sanitizeForStorage } from '../base/outside-json.ts'

/** Language of answers: English if the header names it first, otherwise Chinese. */
export const parseAcceptLanguage = (header: string | string[] | undefined): Lang =>
  /^\s*en\b/i.test(String(header ?? '')) ? 'en' : 'zh'

/** Decodes the path as routing does ("%6c" is "l"), so that no other spelling escapes an API scope. */
export function decodedPathOf(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The request's data before validation. */
type RawRequest = { query: Record<string, string>; body: unknown; bytes?: Buffer; files?: NonNullable<Call['file']>[] }

/** State of one request in the pipeline. */
export type RequestContext = {
  readonly spec: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly raw: RawRequest
  readonly lang: Lang
  readonly path: string
  readonly started: number
  /** Set by the authentication step; undefined before. */
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

/** Tenant a call runs in; without sign-in the management tenant, whose public data it reads. */
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
 * Makes the handler's call: parses the declared input, refusing invalid fields. For devices, characters that cannot be
 * stored are replaced first: a refused device would send the same message again without end.
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

/** Operation log entry of a request. */
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

/** Parameters for the log, which masks by field name; inputs declared secret are masked here. */
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
