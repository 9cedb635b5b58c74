import type { Words } from '#kit/resource/words.ts'
import { bulkRoutes } from '#kit/server/lists/bulk.ts'
import { routesOfRooms } from '#kit/server/request/mount.ts'
import { routeAt } from '#kit/server/resource/through.ts'
import type { Route } from '#kit/server/room.ts'
import type { Registry } from '#kit/server/services.ts'

/** The calls that approvals are made of, and what people do about themselves. */
const NEVER = [
  '/api/blade-flow/work/',
  '/api/blade-desk/process/',
  '/api/blade-auth/',
  '/api/kit/bulk/:resource/preview',
]

/** Whether a call may be held: a write by somebody signed in, whose arguments are all there is of it. */
export const isAct = (route: Route): boolean =>
  route.method !== 'GET' &&
  !route.uploadMaxBytes &&
  !route.raw &&
  (typeof route.can === 'string' || Array.isArray(route.can) || 'signedIn' in (route.can as object)) &&
  !NEVER.some((one) => route.path.startsWith(one))

export const actAt = (registry: Registry, path: string): Route | undefined => {
  const route = routeAt(registry, path) ?? bulkRoutes.find((one) => one.path === path && one.method === 'POST')
  return route && isAct(route) ? route : undefined
}

/** Everything a rule can be about, with the family or room it is in. */
export function actsOf(registry: Registry): { path: string; title: Words; of: Words }[] {
  const families = [...registry.served.values()].map(({ resource }) => resource)
  const familyOf = (path: string) =>
    families
      .filter((one) => path.startsWith(`${one.path}/`))
      .toSorted((one, other) => other.path.length - one.path.length)[0]
  return [...routesOfRooms(registry), ...bulkRoutes].filter(isAct).map(({ path, title }) => ({
    path,
    title,
    of: familyOf(path)?.label ?? { zh: '其他', en: 'Other' },
  }))
}
