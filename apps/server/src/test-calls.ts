import type { Field, Fields } from '#kit/fields/field-kind.ts'
import { isFieldRequired } from '#kit/fields/kinds.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { ServedResource } from '#kit/server/module.ts'

/**
 * What a call answers whom, as far as declarations and grants say it: read from the declarations alone, never from the
 * permission a route is mounted with, so that a route guarded wrongly, or not at all, differs from it.
 */
export type Expected = { shape: string; nobody: string } & Record<Role, string>
export const ROLES = ['administrator', 'tenantAdministrator', 'clerk', 'boss'] as const
export type Role = (typeof ROLES)[number]

type Call = {
  method: string
  path: string
  shape: string
  /** Any of these permissions lets in. */
  asks: readonly string[]
  /** The status for who is let in, and for the boss where the rows are not theirs. */
  answer: string
  boss?: string
}
const STANDARD = ['list', 'detail', 'submit', 'remove'] as const
type Standard = (typeof STANDARD)[number]
type Mounted = { method: string; path: string; aliasOf?: string; input?: Fields }

/** Menu groups of the trade: a boss holds all that is below them. */
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
/** All that a clerk holds: reading notices and goods. */
export const OF_CLERK = ['notice', 'notice_view', 'goodInfo']
/** Menu groups no new tenant is given, and the pages in them that it is. */
const OF_PLATFORM = ['system', 'base', 'authority', 'report', 'tool']
const OF_TENANT = ['role', 'data_scope', 'user', 'dept', 'post', 'dictbiz', 'ownField', 'topmenu', 'thirdApi']

/** A permission, the page it is a button of, and the menu group of that page. */
type Permission = { code: string; page: string; group: string }
const HOLDS: Record<Role, (permission: Permission) => boolean> = {
  administrator: () => true,
  tenantAdministrator: ({ page, group }) => !OF_PLATFORM.includes(group) || OF_TENANT.includes(page),
  boss: ({ group }) => TRADE.includes(group),
  clerk: ({ code }) => OF_CLERK.includes(code),
}

/** Expectations for the families of a product; `isAsked` says which calls are asked with all they need. */
export function expectedCalls(families: readonly ServedResource[], isAsked: (call: string) => boolean) {
  const permissions = families.flatMap(permissionsOf)
  const named = (calls: Call[]) => calls.map((call): [string, Call] => [`${call.method} ${call.path}`, call])
  const declared = new Map(named(families.flatMap((one) => declaredCalls(one, families, isAsked))))
  const standard = new Map(named(families.flatMap((one) => Object.values(standardCalls(one, families)))))

  const may = (role: Role, { asks }: Call) =>
    // What is no button of any page is granted to nobody; the administrator needs no grant.
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
    /** The calls the declarations themselves make. */
    declared: [...declared.keys()],
    /**
     * What a call answers. Where a module writes a call beside the declarations: what the standard call of this address
     * would, or the statuses of a call of its family; nothing is known of any other.
     */
    expectedOf: (mounted: Mounted): Partial<Expected> => {
      const { method, path, aliasOf = path } = mounted
      const call = declared.get(`${method} ${path}`) ?? standard.get(`${method} ${path}`)
      if (call) return answerOf(call)
      const family = familyOf(aliasOf, families)
      return family ? answerOf(besideCall(family, mounted, isAsked)) : {}
    },
  }
}

/** The family whose address a path begins with. */
const familyOf = (path: string, families: readonly ServedResource[]): ServedResource | undefined =>
  families
    .filter(({ resource }) => path.startsWith(`${resource.path}/`))
    .sort((one, other) => other.resource.path.length - one.resource.path.length)[0]

const codeOf = ({ resource }: ServedResource, verb: string): string =>
  verb === 'list' ? resource.code : `${resource.code}_${verb}`

const actionsOf = ({ resource }: ServedResource) => Object.entries(resource.actions as Record<string, Action>)

/** What can be granted of a family: its page, and a permission for each button. */
function permissionsOf(served: ServedResource): Permission[] {
  const { menu, code, buttons, permissions } = served.resource
  if (!menu) return []
  const verbs = [
    'list',
    ...Object.entries(buttons).flatMap(([verb, isThere]) => (isThere ? [verb] : [])),
    ...actionsOf(served).flatMap(([name, { can }]) => (can ? [] : [name])),
    ...Object.keys(permissions),
  ]
  return verbs.map((verb) => ({ code: codeOf(served, verb), page: code, group: menu.under }))
}

/** What is known of a call before anybody calls it. */
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

/** The four calls a family has by itself, or a module writes in their place. */
function standardCalls(served: ServedResource, families: readonly ServedResource[]): Record<Standard, Call> {
  const { resource, hooks } = served
  const { list, writer, createPath } = resource
  const elsewhere = standsElsewhere(served, families)
  return {
    list: callOf(served, 'GET', list.path, 'list', '200', list.paged ? 'page' : 'array'),
    detail: {
      ...callOf(served, 'GET', 'detail', 'list', '200', `object:${hooks.key ?? 'id'}`),
      ...(elsewhere === 'itself' && { boss: '404' }),
    },
    // A new row is sent, unless another call adds.
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

/** All that a declaration makes: standard calls, workbooks, actions. */
function declaredCalls(
  served: ServedResource,
  families: readonly ServedResource[],
  isAsked: (call: string) => boolean,
): Call[] {
  const { buttons, createPath } = served.resource
  const has = (call: Standard) => !served.hooks.without?.includes(call)
  const standard = standardCalls(served, families)
  const answerTo = (method: string, last: string, empty: string) =>
    isAsked(`${method} ${served.resource.path}/${last}`) ? '200' : empty
  return [
    ...STANDARD.flatMap((call) => (has(call) ? [standard[call]] : [])),
    ...(createPath
      ? [callOf(served, 'POST', createPath, 'add', answerTo('POST', createPath, '400'), 'object:id')]
      : []),
    ...(buttons.export && has('list') ? [callOf(served, 'POST', 'export', 'export', '200', 'object:id')] : []),
    // A workbook is asked for, and none comes along.
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

/** What an action asked with nothing answers: what is missing, or that the row is not there. */
const answerToNothing = ({ on, input = {} }: Action): string =>
  Object.values(input).some(isRequired) || on === 'bulk' ? '400' : on === 'row' ? '404' : '200'

/** Whether a field is asked for where nothing is given. */
const isRequired = (field: Field): boolean => isFieldRequired(field, {})

/**
 * Of what a shop has one at most (its settings, its place at a platform) each sample stands in a shop of its own, and
 * so does what is written below it: neither is the boss's.
 */
function standsElsewhere(served: ServedResource, families: readonly ServedResource[]): 'itself' | 'below' | undefined {
  const isAlone = ({ resource: { unique, scope } }: ServedResource) =>
    unique.some((fields: readonly string[]) => fields.length === 1 && fields[0] === scope.shop)
  if (isAlone(served)) return 'itself'
  const above = Object.values(served.resource.fields as Fields).map(({ to }) => to)
  return families.some((one) => isAlone(one) && above.includes(one.resource.name)) ? 'below' : undefined
}

/**
 * A call a module adds to a family: reading asks for its page, changing for one of its buttons; who gives nothing where
 * something is needed is told so.
 */
function besideCall(
  family: ServedResource,
  { method, path, input = {} }: Mounted,
  isAsked: (call: string) => boolean,
): Call {
  const isRead = method === 'GET'
  const lacks = Object.values(input).some(isRequired) || !isRead
  return {
    method,
    path,
    shape: '',
    asks: permissionsOf(family)
      .map(({ code }) => code)
      .filter((code) => isRead === (code === family.resource.code)),
    answer: isAsked(`${method} ${path}`) || !lacks ? '200' : '400',
  }
}
