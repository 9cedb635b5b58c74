import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Route } from '#kit/server/module/module.ts'
import { isPublicAccess as isOpenToAll, isTerminalAccess } from '#kit/server/request/permit.ts'
import { hasTenantColumn } from '#kit/server/database/row-sql.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { Samples } from './samples.ts'
import type { TestCaller, Wire, TestWorld } from './world.ts'

/** The tenant under attack: a row of every resource, whose texts contain a mark that no legitimate answer has. */
export type Victim = { tenantId: string; mark: string; ids: Map<string, string>; all: ReadonlySet<string> }

type AnyTable = { name: string; hasTenant: boolean }

/** Returns the tables of the database, without those that every request writes (`isLeftOut`: logs, jobs, counters). */
export async function tablesOf(services: Services, isLeftOut: (name: string) => boolean): Promise<AnyTable[]> {
  const { rows } = await services.systemPool.query<{ name: string; has_tenant: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
      and not a.attisdropped) as has_tenant
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public'
     and c.relkind in ('r', 'p')
     and has_table_privilege(c.oid, 'select') order by 1`,
  )
  return rows.map((row) => ({ name: row.name, hasTenant: row.has_tenant })).filter(({ name }) => !isLeftOut(name))
}

/**
 * Returns a digest of all rows of a tenant, one line per table; with `undefined`, of the tables that belong to no
 * tenant. One statement.
 */
export async function digestOf(
  services: Services,
  tables: readonly AnyTable[],
  tenantId: string | undefined,
): Promise<string> {
  const parts = tables
    .filter((table) => table.hasTenant === (tenantId !== undefined))
    .map(
      ({ name }) =>
        `select '${name}' as t, count(*) || '/' || coalesce(sum(hashtextextended(x::text, 0)), 0) as d
          from "${name}" x${tenantId === undefined ? '' : ' where tenant_id = $1'}`,
    )
  const text = parts.join(' union all ')
  // Named, so that PostgreSQL keeps its plan: planning takes ten times as long as reading.
  const { rows } = await services.systemPool.query<{ t: string; d: string }>({
    name: `digest ${md5Hex(text)}`,
    text,
    values: tenantId === undefined ? [] : [tenantId],
  })
  return rows
    .map((row) => `${row.t} ${row.d}`)
    .sort()
    .join('\n')
}

/** Returns the tables that differ between two digests. */
export const changedTables = (before: string, after: string): string[] => {
  const was = new Map(before.split('\n').map((line) => line.split(' ', 2) as [string, string]))
  return after
    .split('\n')
    .map((line) => line.split(' ', 2) as [string, string])
    .filter(([name, digest]) => was.get(name) !== digest)
    .map(([name]) => name)
}

/** Returns the value of the scope field for a row that only callers limited to `id` may see. */
export const limitCallerTo = (resource: Resource<any, any>, key: string, id: string): unknown =>
  key in resource.fields && fieldKindOf((resource.fields as Fields)[key]!).many ? [id] : id

/**
 * Inserts a marked row of every resource into a tenant. With `limit`, only of resources with that scope, inside
 * `limit.id`.
 */
export async function seedMarkedRows(
  world: TestWorld,
  samples: Samples,
  tenantId: string,
  mark = 'MARKOFTHEVICTIM',
  limit?: { name: string; id: string },
): Promise<Victim> {
  const ids = new Map<string, string>()
  const all = new Set<string>()
  for (const served of world.registry.served.values()) {
    const { resource } = served
    const scopeKey = limit && resource.scope[limit.name]
    if (!hasTenantColumn(resource) || (limit && (!scopeKey || scopeKey === 'id'))) continue
    const texts = Object.entries(resource.fields as Fields)
      .filter(([, field]) => !field.computed && !field.secret && fieldKindOf(field).isFree)
      .map(([key]) => key)
    const row = await samples.insert(
      served,
      tenantId,
      Object.fromEntries(
        texts
          .map((key) => [key, `${mark}${resource.name}${key}`])
          .concat(limit ? [[scopeKey!, limitCallerTo(resource, scopeKey!, limit.id) as never]] : []),
      ),
    )
    ids.set(resource.name, String(row.id))
    all.add(String(row.id))
  }
  for (const served of limit ? [] : world.registry.served.values()) {
    if (!hasTenantColumn(served.resource)) continue
    const { rows } = await world.services.systemPool.query<{ id: string }>(
      `select id::text from "${served.resource.table}" where tenant_id = $1`,
      [tenantId],
    )
    for (const { id } of rows) all.add(id)
  }
  return { tenantId, mark, ids, all }
}

const ID_KEYS = [
  'id',
  'ids',
  'userId',
  'userIds',
  'roleId',
  'roleIds',
  'menuIds',
  'deptId',
  'deptIds',
  'postId',
  'parentId',
  'shopId',
  'clientId',
  'topMenuId',
  'topMenuIds',
  'orderId',
  'packageId',
  'fileName',
  'key',
]

/** Returns a route's arguments, filled with ids of the victim as far as an outsider can. */
function withForeignIds(
  route: Route,
  resource: Resource<any, any> | undefined,
  victim: Victim,
): Record<string, unknown> {
  const any = (resource && victim.ids.get(resource.name)) ?? [...victim.ids.values()][0]!
  const fields = (route.input ?? {}) as Record<string, Field>
  const byName = (key: string) =>
    [...victim.ids].find(([name]) => key.toLowerCase().startsWith(name.toLowerCase()))?.[1]
  const value = (key: string, field: Field): unknown => {
    if (field.to) return victim.ids.get(field.to) ?? any
    if (/ids?$/i.test(key)) return byName(key) ?? any
    if (key === 'tenantId') return victim.tenantId
    return fieldKindOf(field).sample(field, 1)
  }
  return {
    ...Object.fromEntries(ID_KEYS.map((key) => [key, byName(key) ?? any])),
    tenantId: victim.tenantId,
    ...Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, value(key, field)])),
    ...(resource?.actions &&
      Object.values(resource.actions as Record<string, { input?: Fields; path?: string }>).reduce(
        (out, action) => ({
          ...out,
          ...Object.fromEntries(Object.entries(action.input ?? {}).map(([key, field]) => [key, value(key, field)])),
        }),
        {},
      )),
  }
}

export type Attempt = { method: 'GET' | 'POST'; path: string; query: Record<string, unknown>; body?: unknown }

/**
 * Returns requests that try to reach the victim's rows through a route: by id, list and body, and naming the victim's
 * tenant.
 */
export async function attemptsOn(
  world: TestWorld,
  samples: Samples,
  route: Route,
  victim: Victim,
  tenantId: string,
): Promise<Attempt[]> {
  const resource = [...world.registry.served.values()]
    .map((one) => one.resource)
    .find((one) => route.path.startsWith(`${one.path}/`))
  const points = withForeignIds(route, resource, victim)
  const path = route.path
    .replace(/:(\w+)/g, (_all, name: string) =>
      encodeURIComponent(String(name === 'resource' ? (resource?.name ?? 'user') : (points[name] ?? 'x'))),
    )
    .replace('/*', '/x')
  const arrays = Object.fromEntries(
    Object.entries(points).map(([key, value]) => [key, key.endsWith('Ids') ? [value] : value]),
  )
  if (route.method === 'GET' || route.method === 'ANY') {
    const get = [
      { tenantId: victim.tenantId, size: 1000 },
      points,
      { id: points.id },
      { ...points, ids: undefined, id: undefined, size: 1000 },
    ]
    const out: Attempt[] = get.map((query) => ({ method: 'GET', path, query }))
    if (route.method === 'GET') return out
    return [...out, { method: 'POST', path, query: points, body: arrays }]
  }
  const entity = resource && route.path === `${resource.path}/submit` ? await samples.draft(resource, tenantId) : {}
  const references = Object.fromEntries(
    Object.entries((resource?.fields ?? {}) as Fields)
      .filter(([, field]) => field.to && victim.ids.has(field.to))
      .map(([key, field]) => [key, victim.ids.get(field.to!)]),
  )
  return [
    { method: 'POST', path, query: points, body: arrays },
    { method: 'POST', path, query: {}, body: { ...entity, ...arrays } },
    { method: 'POST', path, query: {}, body: { ...entity, id: points.id } },
    // The attacker's own new row that refers to the victim's rows, or claims the victim's tenant.
    { method: 'POST', path, query: {}, body: { ...entity, ...references, tenantId: victim.tenantId } },
    { method: 'POST', path, query: {}, body: { ...entity, tenantId: victim.tenantId } },
    { method: 'POST', path, query: { ...points, id: undefined, ids: undefined }, body: [arrays] },
  ]
}

/** Returns what an answer reveals of the victim: a marked text, or an id that was not sent. */
export function leaksOf(answer: Wire, attempt: Attempt, victim: Victim): string[] {
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const sent = JSON.stringify([attempt.query, attempt.body])
  const out: string[] = []
  if (text.includes(victim.mark))
    out.push(
      'a text of the victim: ' +
        `${text.slice(Math.max(0, text.indexOf(victim.mark) - 60), text.indexOf(victim.mark) + 60)}`,
    )
  for (const id of text.match(/\d{12,19}/g) ?? [])
    if (victim.all.has(id) && (!sent.includes(id) || answer.success)) out.push(`id ${id} of the victim`)
  return out
}

export const isOpen = ({ can }: Route) => isOpenToAll(can) || isTerminalAccess(can)
export const asksACode = (route: Route) =>
  typeof route.can === 'string' ||
  Array.isArray(route.can) ||
  (typeof route.can === 'object' && 'platform' in route.can)

export const askWithin = async (
  world: TestWorld,
  who: TestCaller | undefined,
  attempt: Attempt,
  milliseconds = 8000,
): Promise<Wire | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), milliseconds)))
  const answer = await Promise.race([
    world.ask(who, attempt.method, attempt.path, { query: attempt.query, body: attempt.body }),
    late,
  ])
  clearTimeout(timer)
  return answer
}
