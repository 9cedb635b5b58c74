import type { Fields } from '../../fields/field-kind.ts'
import { Refused } from '../refused.ts'
import type { Call, Route } from '../module.ts'
import type { ModuleRegistry } from '../services.ts'

/** What a call asks for, as its handler reads it: whoever looks at a call before it is done looks at this alone. */
export type RequestedOperation = {
  /** By name, as handlers see them. */
  values: Record<string, unknown>
  /** Their fields, of those that are declared. */
  fields: Fields
  /** The rows it names. */
  ids: string[]
  /** What is done to each of these rows, as bulk work calls it; absent where it is done to no row or always to one. */
  operation?: string
}

/**
 * The same for any route: what it says itself (`asks`), its parsed input, or what came, where the address and the body
 * say the same: which of two a handler reads is not known here.
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

/** The ids among values: of one row, or of several. */
export function parseRowIds({ ids, id }: Record<string, unknown>): string[] {
  const given = [ids ?? id ?? []].flat().flatMap((one) => String(one).split(','))
  return [...new Set(given.map((one) => one.trim()).filter((one) => /^\d{1,19}$/.test(one) && one !== '0'))]
}

/** The first address of a call, under whichever of its addresses it is asked. */
export const canonicalPath = (registry: ModuleRegistry, path: string): string =>
  registry.addresses.get(path)?.[0] ?? path
