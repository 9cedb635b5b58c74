import type { FastifyInstance } from 'fastify'
import type { ResponseSchema } from '#kit/resource/response-schema.ts'
import type { Route } from '#kit/server/module/module.ts'

/** Returns where a value differs from its schema or has properties that it does not name. */
export function shapeFaults(value: unknown, shape: ResponseSchema, at = ''): string[] {
  if (shape.oneOf) {
    const tried = shape.oneOf.map((one) => shapeFaults(value, one, at))
    const fitting = tried.filter((faults) => !faults.length).length
    return fitting === 1 ? [] : [`${at}: ${fitting} of ${tried.length} shapes fit (${tried.flat().join(', ')})`]
  }
  if ('const' in shape) return value === shape.const ? [] : [`${at}: ${String(value)}, not ${String(shape.const)}`]
  const fault = typeFault(value, shape) ?? wordFault(value, shape)
  if (fault !== undefined) return [`${at}: ${fault}`]
  if (shape.items) return (value as unknown[]).flatMap((one, n) => shapeFaults(one, shape.items!, `${at}[${n}]`))
  return shape.properties || shape.additionalProperties ? propertyFaults(value as object, shape, at) : []
}

function typeFault(value: unknown, shape: ResponseSchema): string | undefined {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const isType = shape.type === 'integer' ? Number.isInteger(value) : shape.type === undefined || shape.type === type
  return isType ? undefined : `${type}, not ${shape.type}`
}

function wordFault(value: unknown, { enum: words, pattern }: ResponseSchema): string | undefined {
  if (words && !words.includes(value as string)) return `${String(value)} is none of the words`
  return pattern && !new RegExp(pattern, 'u').test(String(value)) ? String(value) : undefined
}

const propertyFaults = (
  value: object,
  { properties = {}, required = [], additionalProperties, patternProperties = {} }: ResponseSchema,
  at: string,
): string[] => [
  ...required.filter((key) => !(key in value)).map((key) => `${at}.${key} is missing`),
  ...Object.entries(value).flatMap(([key, one]) => {
    const pattern = Object.keys(patternProperties).find((one) => new RegExp(one, 'u').test(key))
    const schema = properties[key] ?? (pattern === undefined ? additionalProperties : patternProperties[pattern])
    return schema ? shapeFaults(one, schema, `${at}.${key}`) : [`${at}.${key} is not declared`]
  }),
]

const JSON_TYPE = 'application/json'
const isNothing = (body: unknown) => body === undefined || body === null || body === ''

/** Whether a status is a refusal; also 202 that is not declared: the call is held until others approve it. */
const isRefusal = (status: number, declared?: number): boolean => status >= 300 || (status === 202 && declared !== 202)

/** Returns where an answer differs from its route's declaration; nothing for a refusal. */
function answerFaults(
  { answers, answersAs = {}, rawResponse }: Route,
  answer: { status: number; type: string; body: unknown },
) {
  const { status, type, body } = answer
  if (isRefusal(status, answersAs.status)) return []
  // A file may be requested in part.
  const isStatus = answersAs.status ? status === answersAs.status : [200, 206].includes(status)
  if (!isStatus) return [`status ${status}`]
  if (status === 204) return isNothing(body) ? [] : ['a body beside 204']
  if (answersAs.type && answersAs.type !== '*/*' && !type.startsWith(answersAs.type)) return [`content type ${type}`]
  if (answersAs.type || !answers || !type.startsWith(JSON_TYPE) || typeof body !== 'string') return []
  const envelope = JSON.parse(body) as { data?: unknown }
  return shapeFaults(rawResponse ? envelope : envelope.data, answers)
}

/** Routes with a compared answer, as `GET /api/x`, by server. */
const comparedBy = new WeakMap<FastifyInstance, Set<string>>()

/** Returns the routes whose declared answer was compared at least once, as `GET /api/x`. */
export const comparedAnswers = (http: FastifyInstance): readonly string[] => [...(comparedBy.get(http) ?? [])]

/**
 * Compares every answer, in all tests, with its route's declaration; a different one becomes status 500 and is printed.
 * Call it before the server listens.
 */
export function compareAnswers(
  http: FastifyInstance,
  routes: readonly Route[],
  say: (sentence: string) => void = console.error,
): void {
  const declared = new Map<string, Route>(
    routes.flatMap((one) =>
      one.answers || one.answersAs
        ? (one.method === 'ANY' ? ['GET', 'POST'] : [one.method]).map(
            (method) => [`${method} ${one.path}`, one] as const,
          )
        : [],
    ),
  )
  const compared = new Set<string>()
  comparedBy.set(http, compared)
  http.addHook('onSend', (request, reply, payload, done) => {
    const name = `${request.method} ${request.routeOptions.url}`
    const route = declared.get(name)
    if (!route || reply.statusCode >= 300) return done(null, payload)
    const type = String(reply.getHeader('content-type') ?? '')
    const faults = answerFaults(route, { status: reply.statusCode, type, body: payload })
    if (!faults.length) {
      compared.add(name)
      return done(null, payload)
    }
    const error = new Error(`${name} answers otherwise than it declares: ${faults.join('; ')}`)
    say(error.message)
    done(error)
  })
}
