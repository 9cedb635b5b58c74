import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { isFieldRequired } from '#kit/fields/kinds.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { ServedResource } from '#kit/server/module/module.ts'

/**
 * The expected answer of a route for each role. Derived from declarations and grants only and never from the permission
 * the route is mounted with, so that a wrongly guarded route shows as a difference.
 */
export type Expected = { shape: string; nobody: string } & Record<Role, string>
export const ROLES = ['administrator', 'tenantAdministrator', 'clerk', 'boss'] as const
export type Role = (typeof ROLES)[number]

type Call = {
  method: string
  path: string
  shape: string
  /** Any of these permissions is enough. */
  asks: readonly string[]
  /** Status for a caller who is let in. */
  answer: string
  /** Status for the boss, whose shop the sample row is not in. */
  boss?: string
}
const STANDARD = ['list', 'detail', 'submit', 'remove'] as const
type Standard = (typeof STANDARD)[number]
type Mounted = { method: string; path: string; aliasOf?: string; input?: Fields }

/** Menu groups of shop business: a boss has all permissions below them. */
export const TRADE = [
  'shop',
  'goods',
  'order',
  'member',
  'marketing',
  'device',
  'supplier',
  'merchant',
  'ele',
  'meituan',
  'ai',
  'guard',
]
/** All permissions of a clerk: reading notices and products. */
export const OF_CLERK = ['notice', 'notice_view', 'goodInfo']
/** Menu groups that new tenants do not get. */
const OF_PLATFORM = ['system', 'base', 'authority', 'report', 'tool']
/** Pages of those groups that new tenants get nevertheless. */
const OF_TENANT = ['role', 'data_scope', 'user', 'dept', 'post', 'dictbiz', 'ownField', 'topmenu', 'thirdApi']

/** A permission with the page of its button and the menu group of that page. */
type Permission = { code: string; page: string; group: string }
const HOLDS: Record<Role, (permission: Permission) => boolean> = {
  administrator: () => true,
  tenantAdministrator: ({ page, group }) => !OF_PLATFORM.includes(group) || OF_TENANT.includes(page),
  boss: ({ group }) => TRADE.includes(group),
  clerk: ({ code }) => OF_CLERK.includes(code),
}

/**
 * Returns the expectations for the routes of resources; `isAsked` tells which routes are called with a valid request.
 */
export function expectedCalls(resources: readonly ServedResource[], isTested: (call: string) => boolean) {
  const permissions = resources.flatMap(permissionsOf)
  const named = (calls: Call[]) => calls.map((call): [string, Call] => [`${call.method} ${call.path}`, call])
  const declared = new Map(named(resources.flatMap((one) => declaredCalls(one, resources, isTested))))
  const standard = new Map(named(resources.flatMap((one) => Object.values(standardCalls(one, resources)))))

  const may = (role: Role, { asks }: Call) =>
    // A permission without a button on any page cannot be granted; the administrator needs none.
    role === 'administrator' || permissions.some((one) => asks.includes(one.code) && HOLDS[role](one))
  const statusOf = (role: Role, call: Call) => (may(role, call) ? (role === 'boss' && call.boss) || call.answer : '403')
  const answerOf = (call: Call): Partial<Expected> => ({
    ...(call.shape && { shape: call.shape }),
    administrator: statusOf('administrator', call),
    tenantAdministrator: statusOf('tenantAdministrator', call),
    clerk: statusOf('clerk', call),
    boss: statusOf('boss', call),
    nobody: '401',
  })

  return {
    /** The routes that declarations create. */
    declared: [...declared.keys()],
    /**
     * Returns the expected answer of a route. For a route a module writes itself: that of the standard route at this
     * path, or the statuses for a route of its resource; empty for any other.
     */
    expectedOf: (mounted: Mounted): Partial<Expected> => {
      const { method, path, aliasOf = path } = mounted
      const call = declared.get(`${method} ${path}`) ?? standard.get(`${method} ${path}`)
      if (call) return answerOf(call)
      const served = resourceOf(aliasOf, resources)
      return served ? answerOf(resourceRouteCall(served, mounted, isTested)) : {}
    },
  }
}

/** Returns the resource whose path a route's path begins with. */
const resourceOf = (path: string, resources: readonly ServedResource[]): ServedResource | undefined =>
  resources
    .filter(({ resource }) => path.startsWith(`${resource.path}/`))
    .sort((one, other) => other.resource.path.length - one.resource.path.length)[0]

const codeOf = ({ resource }: ServedResource, verb: string): string =>
  verb === 'list' ? resource.code : `${resource.code}_${verb}`

const actionsOf = ({ resource }: ServedResource) => Object.entries(resource.actions as Record<string, Action>)

/** Returns the permissions of a resource that can be granted: its page and each button. */
function permissionsOf(served: ServedResource): Permission[] {
  const { menu, code, buttons, permissions } = served.resource
  if (!menu) return []
  const verbs = [
    'list',
    ...Object.entries(buttons).flatMap(([verb, isShown]) => (isShown ? [verb] : [])),
    ...actionsOf(served).flatMap(([name, { can }]) => (can ? [] : [name])),
    ...Object.keys(permissions),
  ]
  return verbs.map((verb) => ({ code: codeOf(served, verb), page: code, group: menu.under }))
}

/** Returns the expectation for one route. */
const callOf = (
  served: ServedResource,
  method: string,
  last: string,
  verb: string,
  answer: string,
  shape: string,
): Call => ({
  method,
  path: `${served.resource.path}/${last}`,
  asks: [codeOf(served, verb)],
  answer,
  shape,
})

/** Returns the four standard routes of a resource, which a module may replace. */
function standardCalls(served: ServedResource, resources: readonly ServedResource[]): Record<Standard, Call> {
  const { resource, hooks } = served
  const { list, writer, createPath } = resource
  const elsewhere = standsElsewhere(served, resources)
  return {
    list: callOf(served, 'GET', list.path, 'list', '200', list.paged ? 'page' : 'array'),
    detail: {
      ...callOf(served, 'GET', 'detail', 'list', '200', `object:${hooks.key ?? 'id'}`),
      ...(elsewhere === 'itself' && { boss: '404' }),
    },
    // Sends a new row, unless rows are added by another route.
    submit: {
      ...callOf(
        served,
        'POST',
        'submit',
        createPath ? 'edit' : 'add',
        writer === 'office' ? '200' : '400',
        'object:id',
      ),
      ...(elsewhere && { boss: '400' }),
    },
    remove: {
      ...callOf(served, 'POST', 'remove', 'delete', resource.remove ? '200' : '400', 'object'),
      ...(elsewhere && { boss: '404' }),
    },
  }
}

/** Returns all routes that a declaration creates: standard routes, import and export, actions. */
function declaredCalls(
  served: ServedResource,
  resources: readonly ServedResource[],
  isTested: (call: string) => boolean,
): Call[] {
  const { buttons, createPath } = served.resource
  const has = (call: Standard) => !served.hooks.without?.includes(call)
  const standard = standardCalls(served, resources)
  const answerTo = (method: string, last: string, empty: string) =>
    isTested(`${method} ${served.resource.path}/${last}`) ? '200' : empty
  return [
    ...STANDARD.flatMap((call) => (has(call) ? [standard[call]] : [])),
    ...(createPath
      ? [callOf(served, 'POST', createPath, 'add', answerTo('POST', createPath, '400'), 'object:id')]
      : []),
    ...(buttons.export && has('list') ? [callOf(served, 'POST', 'export', 'export', '200', 'object:id')] : []),
    // Called without a workbook.
    ...(buttons.import && has('submit')
      ? [
          callOf(served, 'GET', 'import-template', 'import', '200', 'file'),
          callOf(served, 'POST', 'import', 'import', '400', 'object'),
        ]
      : []),
    ...actionsOf(served).map(([name, action]) => {
      const { method = 'POST', path = name, can = name } = action
      return callOf(served, method, path, can, answerTo(method, path, answerToNothing(action)), 'object')
    }),
  ]
}

/** Status of an action called without arguments: missing input, or the row does not exist. */
const answerToNothing = ({ on, input = {} }: Action): string =>
  Object.values(input).some(isRequired) || on === 'bulk' ? '400' : on === 'row' ? '404' : '200'

/** Whether a field is required when no other field is given. */
const isRequired = (field: Field): boolean => isFieldRequired(field, {})

/**
 * Returns whether a sample row is in another shop than the boss's. Of some resources a shop has at most one row (its
 * settings, its listing at a platform), so each sample gets its own shop, and so do rows that refer to it.
 */
function standsElsewhere(served: ServedResource, resources: readonly ServedResource[]): 'itself' | 'below' | undefined {
  const isAlone = ({ resource: { unique, scope } }: ServedResource) =>
    unique.some((fields: readonly string[]) => fields.length === 1 && fields[0] === scope.shop)
  if (isAlone(served)) return 'itself'
  const above = Object.values(served.resource.fields as Fields).map(({ to }) => to)
  return resources.some((one) => isAlone(one) && above.includes(one.resource.name)) ? 'below' : undefined
}

/**
 * Returns the expectation for a route a module adds to a resource: reading needs the page's permission, changing one of
 * its buttons'; missing input is refused.
 */
function resourceRouteCall(
  served: ServedResource,
  { method, path, input = {} }: Mounted,
  isTested: (call: string) => boolean,
): Call {
  const isRead = method === 'GET'
  const lacks = Object.values(input).some(isRequired) || !isRead
  return {
    method,
    path,
    shape: '',
    asks: permissionsOf(served)
      .map(({ code }) => code)
      .filter((code) => isRead === (code === served.resource.code)),
    answer: isTested(`${method} ${path}`) || !lacks ? '200' : '400',
  }
}
