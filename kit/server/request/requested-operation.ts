import { Refused } from '../base/refused.ts'
import type { Call, RequestedOperation, Route, ModuleRegistry } from '../module/module.ts'

/**
 * Returns what a call asks for: from the route's own `asks`, else from its parsed input, else from query and body.
 * Refuses if query and body contradict each other, since it is unknown which one the handler reads.
 */
export function requestedOperationOf(route: Route, call: Call): RequestedOperation {
  if (route.asks) return route.asks(call)
  if (route.input) return { values: call.input, fields: route.input, ids: parseRowIds(call.input) }
  const body = requestBodyObject(call)
  const twice = Object.keys(call.query).find(
    (key) => Object.hasOwn(body, key) && textOf(body[key]) !== textOf(call.query[key]),
  )
  if (twice) throw new Refused('bad_parameter', { name: twice })
  const values = { ...body, ...call.query }
  return { values, fields: {}, ids: parseRowIds(values) }
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

export const requestBodyObject = ({ body }: Pick<Call, 'body'>): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

/** Returns the ids in parameter `ids` (list or comma-separated), or else in `id`. */
export function parseRowIds({ ids, id }: Record<string, unknown>): string[] {
  const given = [ids ?? id ?? []].flat().flatMap((one) => String(one).split(','))
  return [...new Set(given.map((one) => one.trim()).filter((one) => /^\d{1,19}$/.test(one) && one !== '0'))]
}

/** Returns the main path of a route that can be called under several. */
export const canonicalPath = (registry: ModuleRegistry, path: string): string =>
  registry.addresses.get(path)?.[0] ?? path
