import sql, { empty, join } from 'sql-template-tag'
import { f } from '../../resource/f.ts'
import { baseFields, permissionCodeOf } from '../../resource/define-resource.ts'
import { hasPermission, type Caller } from '../base/caller.ts'
import { visibleFields } from '../database/data-scope.ts'
import { Refused } from '../base/refused.ts'
import { hasListPermission } from '../resource/may-list.ts'
import { findServedResource } from '../resource/custom-fields.ts'
import { requireIdList } from '../resource/remove-of.ts'
import { invalidInputRefusal, defineRoute, type Call, type ServedResource } from '../module/module.ts'
import { newId } from '../database/snowflake.ts'
import { requireServedResource } from '../resource/call-route.ts'

const VIEWS_MAX = 100
/** Maximum number of views shown at one place, since each is counted. */
const STANDING_MAX = 20

type View = Places & { id: string; name: string; roleId: string; userId: string; state: unknown; version: number }
/** Other places a view is shown: as a tab above its list, as a tile on the home page, as a link in the menu. */
type Places = { asTab: boolean; asTile: boolean; asLink: boolean }
export type ViewPlacement = 'tab' | 'tile' | 'link'

function listedResource(call: Call): ServedResource {
  const served = requireServedResource(call)
  if (!hasPermission(call.caller, permissionCodeOf(served.resource, 'list'))) throw new Refused('forbidden')
  return served
}

const LABEL = {
  id: { zh: '编号', en: 'ID' },
  name: { zh: '名称', en: 'Name' },
  role: { zh: '共享角色', en: 'Shared with' },
  state: { zh: '内容', en: 'Content' },
  version: { zh: '版本', en: 'Version' },
  view: { zh: '视图', en: 'View' },
  asTab: { zh: '列表上方的标签', en: 'Tab above the list' },
  asTile: { zh: '首页卡片', en: 'Home page tile' },
  asLink: { zh: '菜单链接', en: 'Menu link' },
}
const PATH = '/api/kit/views/:resource'
const name = f.text({ label: LABEL.name, required: true, max: 40 })
const role = f.ref('', { label: LABEL.role })

/**
 * SQL condition for views the caller may open: their own, those of their roles; for an administrator those of all
 * roles.
 */
const mine = ({ caller, db }: Call) =>
  sql`v.tenant_id = ${db.tenantId} and (v.user_id = ${caller.userId || '0'}
    or v.role_id = any(${caller.roleIds}::bigint[])${
      caller.isAdmin
        ? sql`
      or v.role_id is not null`
        : sql``
    })`

/** SQL condition for views placed for the caller: their own and those of their roles, even for administrators. */
const standing = ({ caller, db }: Call) =>
  sql`v.tenant_id = ${db.tenantId} and (v.role_id is null and v.user_id = ${caller.userId || '0'}
    or v.role_id = any(${caller.roleIds}::bigint[]))`

/** SQL condition for views the caller may change: their own; an administrator also shared ones. */
const changeable = ({ caller, db }: Call) =>
  sql`v.tenant_id = ${db.tenantId} and (v.user_id = ${caller.userId || '0'}${
    caller.isAdmin
      ? sql`
    or v.role_id is not null`
      : sql``
  })`

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/**
 * Returns a view's state without fields hidden from the reader and filters on fields that no longer exist, which would
 * look active without effect. `isLess`: a filter was left out, so the view finds more than intended.
 */
function seenState(
  resource: ServedResource['resource'],
  caller: Caller,
  state: unknown,
): { state: unknown; isLess: boolean } {
  if (!isObject(state)) return { state, isLess: false }
  const seen = visibleFields(resource, caller)
  const may = (key: unknown) =>
    typeof key !== 'string' || !seen || seen.has(key) || !Object.hasOwn(resource.fields, key)
  const isField = (key: string) => Object.hasOwn(resource.fields, key) || Object.hasOwn(baseFields, key)
  const { filters, columns, sort, ...rest } = state
  const entries = isObject(filters) ? Object.entries(filters) : []
  const kept = entries.filter(([key]) => [key, key.replace(/_[a-z]+$/, '')].some((one) => isField(one) && may(one)))
  return {
    isLess: kept.length < entries.length,
    state: {
      ...rest,
      ...(isObject(filters) && { filters: Object.fromEntries(kept) }),
      ...(Array.isArray(columns) && {
        columns: columns.filter((column) => may((column as { key?: unknown } | null)?.key)),
      }),
      ...(isObject(sort) && may(sort.key) && { sort }),
    },
  }
}

/** Roles the caller may share a view with: their own; for an administrator all of the tenant. */
async function rolesOf({ caller, db, services }: Call): Promise<{ id: string; name: string }[]> {
  const found = services.registry.served.get('role')?.resource
  if (!found) return caller.roleIds.map((id) => ({ id, name: id }))
  const only = caller.isAdmin ? sql`r.tenant_id = ${db.tenantId}` : sql`r.id = any(${caller.roleIds}::bigint[])`
  return (await db.find(found, only, sql`order by r.id limit 200`)).map((row: any) => ({
    id: row.id as string,
    name: String(row[found.title] ?? ''),
  }))
}

/** Names of the roles the views are shared with, if they still exist. */
async function namesOf({ db, services }: Call, views: readonly View[]): Promise<Map<string, string>> {
  const found = services.registry.served.get('role')?.resource
  const ids = [...new Set(views.map(({ roleId }) => roleId).filter(Boolean))]
  if (!found || !ids.length) return new Map(ids.map((id) => [id, id]))
  return new Map(
    (await db.find(found, sql`r.id = any(${ids}::bigint[])`)).map((row: any) => [
      row.id as string,
      String(row[found.title] ?? ''),
    ]),
  )
}

type StoredView = { name: string; resource: string; state: unknown }

/** Returns a saved view with its list filters as its reader may use them; undefined if it is not available to them. */
export async function findSavedView(call: Call, id: string) {
  const view = await call.db.one<StoredView>(
    sql`select v.name, v.resource, v.state from list_view v where v.id = ${id} and ${mine(call)}`,
  )
  return view && readView(call, view)
}

/** Resolves a stored view for its reader; undefined if they may not list the resource. */
function readView(call: Call, view: StoredView) {
  const served = findServedResource(view.resource, call)
  if (!served || !hasPermission(call.caller, permissionCodeOf(served.resource, 'list'))) return undefined
  const { state, isLess } = seenState(served.resource, call.caller, view.state)
  const { filters, columns } = (state ?? {}) as { filters?: Record<string, string>; columns?: unknown }
  const shown = Array.isArray(columns) ? (columns as { key?: unknown; hidden?: unknown }[]) : []
  return {
    name: view.name,
    served,
    isLess,
    filters: Object.fromEntries(
      Object.entries(filters ?? {}).filter(([, value]) => typeof value === 'string' && value),
    ),
    columns: shown.flatMap(({ key, hidden }) => (typeof key === 'string' && !hidden ? [key] : [])),
  }
}

type StoredPlacedView = StoredView & { id: string; roleId: string }

/** Returns the views shown to the caller at a place, as far as they may list the resources. */
export async function findPlacedViews(call: Call, place: ViewPlacement, resource?: string) {
  const column = { tab: sql`v.as_tab`, tile: sql`v.as_tile`, link: sql`v.as_link` }[place]
  const found = await call.db.query<StoredPlacedView>(
    sql`select v.id::text, v.name, v.resource, v.state, coalesce(v.role_id::text, '') as role_id from list_view v
      where ${column} and ${standing(call)}${resource ? sql` and v.resource = ${resource}` : empty}
      order by v.name, v.id limit ${STANDING_MAX}`,
  )
  const views = []
  for (const view of found) {
    const read = readView(call, view)
    if (read && (await hasListPermission(call, read.served))) views.push({ id: view.id, roleId: view.roleId, ...read })
  }
  return views
}

/** Returns all views the caller may open, each with its resource. */
export async function findSavedViews(
  call: Call,
): Promise<{ id: string; name: string; family: ServedResource['resource'] }[]> {
  const found = await call.db.query<{ id: string; name: string; resource: string }>(
    sql`select v.id::text, v.name, v.resource from list_view v where ${mine(call)} order by v.name, v.id limit 500`,
  )
  return found.flatMap(({ id, name: called, resource }) => {
    const declared = findServedResource(resource, call)?.resource
    return declared && hasPermission(call.caller, permissionCodeOf(declared, 'list'))
      ? [{ id, name: called, family: declared }]
      : []
  })
}

export const savedViewRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    title: { zh: '列表视图', en: 'List saved views' },
    can: { signedIn: "views of one's own and of the roles one holds, of resources one may list" },
    handle: async (call) => {
      const { resource } = listedResource(call)
      const found = await call.db.query<View>(
        sql`select v.id::text, v.name, coalesce(v.role_id::text, '') as role_id, v.user_id::text, v.state, v.version,
          v.as_tab, v.as_tile, v.as_link from list_view v where v.resource = ${resource.name} and ${mine(call)}
          order by v.role_id nulls first, v.name, v.id limit 500`,
      )
      const [roles, names] = [await rolesOf(call), await namesOf(call, found)]
      // A view shared with a deleted role belongs to its creator alone again.
      const views = found
        .map((view) => (names.has(view.roleId) ? view : { ...view, roleId: '' }))
        .filter(({ roleId, userId }) => roleId !== '' || userId === call.caller.userId)
      return {
        roles,
        views: views.map(({ userId, state, ...view }) => ({
          ...view,
          ...seenState(resource, call.caller, state),
          roleName: names.get(view.roleId) ?? '',
          mayChange: userId === call.caller.userId || (call.caller.isAdmin && view.roleId !== ''),
        })),
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    title: { zh: '保存列表视图', en: 'Save list view' },
    can: { signedIn: "views of one's own, shared with a role one holds" },
    log: false,
    input: {
      id: f.ref('', { label: LABEL.id }),
      name,
      roleId: role,
      state: f.json({ label: LABEL.state, required: true, max: 20_000 }),
      version: f.number({ label: LABEL.version }),
      // If absent, an existing view keeps its setting.
      asTab: f.boolean({ label: LABEL.asTab }),
      asTile: f.boolean({ label: LABEL.asTile }),
      asLink: f.boolean({ label: LABEL.asLink }),
    },
    handle: async (call) => {
      const { resource } = listedResource(call)
      const { db, caller, input } = call
      if (input.roleId && !(await rolesOf(call)).some(({ id }) => id === input.roleId))
        throw invalidInputRefusal({ roleId: { problem: { code: 'not_found' }, field: role } })

      await db.advisoryLock(`views/${resource.name}/${caller.userId}`)
      const twin = await db.one(
        sql`select 1 from list_view v where v.tenant_id = ${db.tenantId} and v.resource = ${resource.name}
          and v.user_id = ${caller.userId || '0'} and v.name = ${input.name} and v.id <> ${input.id ?? '0'}`,
      )
      if (twin) throw invalidInputRefusal({ name: { problem: { code: 'taken' }, field: name } })

      const state = JSON.stringify(input.state)
      if (input.id) {
        const old = input.version === null ? sql`` : sql` and v.version = ${input.version}`
        const isChangeable = await db.one(
          sql`select 1 from list_view v where v.id = ${input.id} and v.resource = ${resource.name}
            and ${changeable(call)}`,
        )
        if (!isChangeable) throw new Refused('not_found', { label: LABEL.view })
        const changed = await db.run(
          sql`update list_view v set name = ${input.name}, role_id = ${input.roleId}, state = ${state},
            as_tab = coalesce(${input.asTab}, as_tab), as_tile = coalesce(${input.asTile}, as_tile),
            as_link = coalesce(${input.asLink}, as_link), version = v.version + 1, update_time = now()
            where v.id = ${input.id} and ${changeable(call)}${old}`,
        )
        if (!changed) throw new Refused('changed_meanwhile')
        return { id: input.id }
      }

      const kept = await db.one<{ n: number }>(
        sql`select count(*)::int as n from list_view where tenant_id = ${db.tenantId}
          and user_id = ${caller.userId || '0'}`,
      )
      if (kept!.n >= VIEWS_MAX) throw new Refused('too_many_settings', { max: VIEWS_MAX })

      const id = newId()
      const values = [id, db.tenantId, resource.name, caller.userId || '0', input.roleId, input.name, state]
      const places = [input.asTab, input.asTile, input.asLink].map((one) => one === true)
      await db.run(
        sql`insert into list_view (id, tenant_id, resource, user_id, role_id, name, state, as_tab, as_tile, as_link)
          values (${join([...values, ...places])})`,
      )
      return { id }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/remove`,
    title: { zh: '删除列表视图', en: 'Delete list view' },
    can: { signedIn: "views of one's own; an administrator's shared ones" },
    log: false,
    input: { ids: f.longText({ label: LABEL.id, required: true, max: 2000 }) },
    handle: async (call) => {
      const { resource } = listedResource(call)
      const ids = requireIdList({ ...resource, label: LABEL.view }, call.input.ids)
      const removed = await call.db.run(
        sql`delete from list_view v where v.id = any(${ids}::bigint[]) and v.resource = ${resource.name}
          and ${changeable(call)}`,
      )
      if (removed < ids.length) throw new Refused('not_found', { label: LABEL.view })
    },
  }),
]
