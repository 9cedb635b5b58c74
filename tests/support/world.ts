import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { randomUUID } from 'node:crypto'
import { hasPersonalFields } from '#kit/server/resource/open-personal.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { permissionCodeOf, type Action } from '#kit/resource/define-resource.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import type { Route, ModuleRegistry } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'

/** An HTTP answer and the parts of its envelope. */
export type Wire<T = any> = {
  status: number
  code: number
  success: boolean
  data: T
  msg: string
  body: any
  headers: Record<string, unknown>
}
type Question = { query?: Record<string, unknown>; body?: unknown; lang?: 'zh' | 'en' }
export type TestCaller = { token: string; caller: Caller }

/** The mounted product for tests that know no business terms: declarations, entry points, and any caller. */
export type TestWorld = {
  registry: ModuleRegistry
  services: Services
  routes: readonly Route[]
  http: FastifyInstance
  /** Returns a session of a caller with these rights, without a sign-in. With `clientId` `terminal` it is a device. */
  be: (caller: Partial<Caller>) => TestCaller
  ask: (who: TestCaller | undefined, method: 'GET' | 'POST', path: string, question?: Question) => Promise<Wire>
}

/** Returns every permission code that a route or declaration mentions. */
export function everyCode(registry: ModuleRegistry, routes: readonly Route[]): Set<string> {
  const codes = new Set<string>()
  for (const { can } of routes) {
    if (typeof can === 'string') codes.add(can)
    else if (Array.isArray(can)) for (const code of can as string[]) codes.add(code)
  }
  for (const { resource } of registry.served.values()) {
    for (const verb of ['list', 'add', 'edit', 'delete', 'view', ...Object.keys(resource.permissions)])
      codes.add(permissionCodeOf(resource, verb))
    if (hasPersonalFields(resource)) codes.add(permissionCodeOf(resource, 'open'))
    for (const [name, action] of Object.entries(resource.actions as Record<string, Action>))
      codes.add(permissionCodeOf(resource, action.can ?? name))
  }
  return codes
}

/** Returns a query string; undefined values are left out. */
export const queryText = (query: Record<string, unknown> = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}` : ''
}

export function answerOf(response: LightMyRequestResponse): Wire {
  let body: any
  try {
    body = JSON.parse(response.body)
  } catch {
    body = response.body
  }
  return {
    status: response.statusCode,
    code: body?.code,
    success: body?.success,
    data: body?.data,
    msg: body?.msg,
    body,
    headers: response.headers,
  }
}

/** Wraps a mounted product as a world. Sessions from `be` are accepted like real ones. */
export function createTestWorld({
  http,
  services,
  routes,
}: {
  http: FastifyInstance
  services: Services
  routes: readonly Route[]
}): TestWorld {
  const known = new Map<string, Caller>()
  signInCaller(services, known)
  let requests = 0
  return {
    registry: services.registry,
    services,
    routes,
    http,
    be: (caller) => {
      const token = `somebody-${randomUUID()}`
      const whole: Caller = {
        ...anonymousCaller,
        userId: '1',
        sessionId: token,
        clientId: 'test',
        account: 'somebody',
        name: 'Somebody',
        ...caller,
      }
      known.set(token, whole)
      return { token, caller: whole }
    },
    ask: async (who, method, path, { query, body, lang = 'zh' } = {}) =>
      answerOf(
        await http.inject({
          method,
          url: `${path}${queryText(query)}`,
          // Another address each time, so that rate limits do not interfere.
          remoteAddress: `10.9.${Math.floor(++requests / 250) % 250}.${requests % 250}`,
          headers: {
            ...(who ? { 'blade-auth': `bearer ${who.token}` } : {}),
            'accept-language': lang,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
      ),
  }
}

/** Makes the server accept these callers by their tokens, besides real sessions. */
function signInCaller(services: Services, known: ReadonlyMap<string, Caller>): void {
  const { access } = services
  services.access = {
    ...access,
    callerOf: async (token) => known.get(token) ?? access.callerOf(token),
    again: async (caller) => known.get(caller.sessionId) ?? access.again(caller),
    terminalOf: async (headers) => {
      const caller = known.get(String(headers['blade-auth'] ?? '').replace(/^bearer /, ''))
      return caller?.clientId === 'terminal' ? caller : access.terminalOf(headers)
    },
  }
}

/** Returns where a JSON answer breaks the wire contract (§1.4): a null anywhere, an id that is no text. */
export function wireFaults(value: unknown, path = '$'): string[] {
  if (value === null) return [`${path} is null`]
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((one, at) => wireFaults(one, `${path}[${at}]`))
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(/^(id|parentId|key|value)$|[a-z]Id$/.test(key) && typeof one === 'number' && one !== -1 && one > 1_000_000
      ? [`${path}.${key} is the number ${one}`]
      : []),
    ...((key === 'id' || key === 'parentId') && typeof one === 'number' ? [`${path}.${key} is a number`] : []),
    ...(key === 'children' && Array.isArray(one) && one.length === 0
      ? [`${path}.children is empty instead of absent`]
      : []),
    ...wireFaults(one, `${path}.${key}`),
  ])
}
