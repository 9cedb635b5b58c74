import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { PART_SEARCH_CHARACTERS_MIN, type Field, type Fields, parseIdInput } from '../../fields/base/field-kind.ts'
import { fieldKindOf, treeParentKeyOf } from '../../fields/kinds.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import { hasPermission, type Caller } from '../base/caller.ts'
import { dataScopeSql, canReadField } from '../database/data-scope.ts'
import { readBatch } from '../database/db.ts'
import {
  findFilterField,
  queryFilterSql,
  containsTextSql,
  beginsOrEndsWithSql,
  isSearchableField,
} from '../query/filters.ts'
import { maskedValueMatchSql } from '../query/masked-filters.ts'
import { bulkRoutes } from '../lists/bulk.ts'
import { historyRoutes } from '../history/history.ts'
import { recycleBinRoutes } from '../history/recycle-bin.ts'
import { dayTotalRoutes } from '../lists/day-totals.ts'
import { placedViewRoutes } from '../lists/placed-views.ts'
import { savedViewRoutes } from '../lists/views.ts'
import { unitOfWorkOptionsForRead, withoutLimits } from '../resource/list-of.ts'
import { personalDataRoutes } from '../resource/open-personal.ts'
import { canReadTitle, rowTitleSql } from '../resource/present.ts'
import { Refused } from '../base/refused.ts'
import { defineRoute, type Call, type ResourceHooks, type Route, type ModuleRegistry } from '../module/module.ts'
import {
  notDeletedSql,
  columnNameSql,
  hasTenantColumn,
  tenantPredicateSql,
  tableNameSql,
  tenantScopeOf,
} from '../database/row-sql.ts'
import { nestByParent } from '../resource/trees.ts'
import { backgroundTaskRoutes } from '../sheets/routes.ts'
import { hasListPermission } from '../resource/may-list.ts'

const OPTIONS_MAX = 200
const TREE_MAX = 5000

type Option = {
  id: string
  title: string
  code?: string
  parentId?: string
  hasChildren?: boolean
  children?: Option[]
}

/**
 * Permission codes that let their holders choose from a resource, by its name: those for fields and parameters that
 * refer to it.
 */
const choosers = new WeakMap<ModuleRegistry, Map<string, Set<string>>>()
/** Key in `choosers` for fields that may also refer to rows outside the caller's limits (`ignoresScope`). */
const beyond = (name: string) => `${name} beyond limits`
function choosersOf(registry: ModuleRegistry, name: string): ReadonlySet<string> {
  let known = choosers.get(registry)
  if (!known) {
    const found = new Map<string, Set<string>>()
    const add = (name: string, codes: readonly string[]) =>
      codes.forEach((code) => (found.get(name) ?? found.set(name, new Set()).get(name)!).add(code))
    const reads = (fields: Fields, ...codes: string[]) => {
      for (const { to, resourceByValue } of Object.values(fields))
        for (const name of [to, ...Object.values(resourceByValue ?? {})] as string[]) if (name) add(name, codes)
    }
    const writes = (fields: Fields, ...codes: string[]) => {
      reads(fields, ...codes)
      for (const { to, ignoresScope } of Object.values(fields)) if (ignoresScope) add(beyond(to!), codes)
    }
    for (const { resource } of registry.served.values()) {
      const code = (verb: string) => permissionCodeOf(resource, verb)
      reads(resource.fields, code('list'))
      writes(resource.fields, code('add'), code('edit'))
      for (const [action, { input = {} }] of Object.entries(resource.actions as Record<string, { input?: Fields }>)) {
        reads(input, resource.code)
        writes(input, code(action))
      }
    }
    for (const { can, input } of registry.modules.flatMap((module) => module.routes ?? []))
      if (typeof can === 'string' || Array.isArray(can)) writes(input ?? {}, ...([can].flat() as string[]))
    known = found
    choosers.set(registry, found)
  }
  return known.get(name) ?? new Set()
}

/** Whether the caller may choose rows of a resource: if they may list it, or fill in a field that refers to it. */
const mayChoose = ({ caller, services }: Call, resource: Resource<any, any>, isListed: boolean) => {
  const own = permissionCodeOf(resource, 'list')
  return (
    isListed ||
    [...choosersOf(services.registry, resource.name)].some((code) => code !== own && hasPermission(caller, code))
  )
}

/** Whether the caller fills in a field that may refer to rows outside their limits. */
const mayChooseBeyond = ({ caller, services }: Call, resource: Resource<any, any>) =>
  [...choosersOf(services.registry, beyond(resource.name))].some((code) => hasPermission(caller, code))

const isLink = (field: Field | undefined): boolean =>
  ['rows', 'dictionary', 'yesNo'].includes((field && fieldKindOf(field).choices) ?? '')

/**
 * Filters that callers without list permission may use: only references and choices; others would reveal hidden fields.
 */
const links = (resource: Resource<any, any>, query: Record<string, string>) =>
  Object.fromEntries(Object.entries(query).filter(([key]) => isLink(findFilterField(resource, key))))

type OptionsQuery = {
  key?: string | null
  ids?: string | null
  size?: number | null
  tree?: boolean
  parentId?: string | null
  /** Whether the caller may read the list, and so may use any of its filters. */
  isListed: boolean
}

/**
 * The call without the caller's limits and without filters: rows outside the limits can be chosen, but nothing else
 * about them can be found out.
 */
const asNamedBeyond = (call: Call): Call => {
  const { tenantId } = call.query
  return { ...withoutLimits(call), query: tenantId ? { tenantId } : {} }
}

/** Code field shown to the caller beside the title; undefined if it is only for those who may list the resource. */
const codeFor = ({ titleCode, fields }: Resource<any, any>, isListed: boolean): string | undefined =>
  titleCode !== undefined && (isListed || !(fields[titleCode] as Field).listedOnly) ? titleCode : undefined

/** How options of a resource are shown to this caller: SQL of the title, code field, parent field. */
type OptionColumns = { title: Sql; isTitled: boolean; code: string | undefined; parent: string | undefined }

function shownTo(call: Call, resource: Resource<any, any>, isListed: boolean): OptionColumns {
  const titleCode = codeFor(resource, isListed)
  const sees = (key: string) => canReadField(resource, key, call.caller)
  // If the title is hidden from the caller, an option shows its code or id instead.
  const isTitled = canReadTitle(call.services.registry, resource, call.caller)
  return {
    isTitled,
    title: isTitled ? raw(rowTitleSql(call.services.registry, resource, 'r', call.lang)) : sql`r.id::text`,
    code: titleCode !== undefined && sees(titleCode) ? titleCode : undefined,
    parent: treeParentKeyOf(resource.fields as Fields),
  }
}

/** Returns rows of a resource as options for a picker: only id, title and code, within tenant and data scope. */
async function optionsOf(call: Call, resource: Resource<any, any>, ask: OptionsQuery): Promise<Option[]> {
  const { caller } = call
  const { hooks } = call.services.registry.served.get(resource.name)!
  const named = hasTenantColumn(resource) && caller.isPlatform && call.query.tenantId
  const within = named ? sql` and r.tenant_id = ${named}` : tenantPredicateSql(resource, tenantScopeOf(caller))
  const shown = shownTo(call, resource, ask.isListed)
  const conditions = optionConditions(call, resource, hooks, shown, ask)
  const limit = ask.tree ? TREE_MAX : Math.min(ask.size ?? 20, OPTIONS_MAX)
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${optionColumns(shown)} from ${tableNameSql(resource)} r
      where true${within}${notDeletedSql(resource)}${dataScopeSql(resource, caller)}${hooks.where?.(call) ?? empty}${
        conditions
      }
      order by ${resource.fields.sort ? sql`r.sort, r.id` : sql`r.id desc`} limit ${limit}`,
  ])
  const options = rows!.map((row) => optionOf(resource, shown, row))
  return ask.tree ? nestByParent(options) : options
}

const optionColumns = ({ title, code, parent }: OptionColumns): Sql =>
  join([
    sql`r.id`,
    sql`${title} as title`,
    ...(code ? [sql`r.${columnNameSql(code)}::text as code`] : []),
    ...(parent ? [sql`r.${columnNameSql(parent)} as "parentId"`] : []),
  ])

/**
 * SQL conditions for the requested rows: those named by id, else those offered, with search text, parent and filters.
 */
const optionConditions = (
  call: Call,
  resource: Resource<any, any>,
  hooks: ResourceHooks<any>,
  shown: OptionColumns,
  ask: OptionsQuery,
): Sql =>
  join(
    [
      ask.ids ? among(ask.ids) : (hooks.offers?.(call) ?? empty),
      ask.key ? soCalled(resource, shown, ask, call.caller) : empty,
      ask.parentId && shown.parent ? sql` and r.${columnNameSql(shown.parent)} = ${ask.parentId}` : empty,
      queryFilterSql(resource, optionFilters(call, resource, ask), call.caller),
    ],
    '',
  )

function among(list: string): Sql {
  const ids = list
    .split(',')
    .map(parseIdInput)
    .flatMap((one) => ('value' in one && one.value ? [one.value] : []))
  return sql` and r.id = any(${ids}::bigint[])`
}

/** SQL condition for rows whose title or code contains the search text. */
function soCalled(
  resource: Resource<any, any>,
  shown: OptionColumns,
  { key: given, isListed }: OptionsQuery,
  caller: Caller,
): Sql {
  const key = given!
  const number = resource.fields[resource.title] as Field | undefined
  // Long numbers are searched by their index; with only a few characters nearly every row matches, so a page is full
  // soon.
  if (shown.isTitled && number?.search === 'part' && key.trim().length >= PART_SEARCH_CHARACTERS_MIN)
    return sql` and ${beginsOrEndsWithSql(resource.title, number, key)}`
  const code = codeFor(resource, isListed)
  // The plain column, which has an index; titles replaced by `titleFlag` cannot be found by text.
  const title = shown.isTitled && resource.titleFlag ? sql`r.${columnNameSql(resource.title)}` : shown.title
  const columns = [title, ...(isSearchableField(resource, code, caller) ? [sql`r.${columnNameSql(code)}::text`] : [])]
  const parts = columns.map((one) => containsTextSql(one, key))
  const forms = columns.length > 1 ? findFilterField(resource, code!)?.forms?.(key.trim()) : undefined
  if (forms?.[1]) parts.push(sql`r.${columnNameSql(code!)} = any(${forms}::text[])`)
  const masked = byMaskedCode(resource, shown.code, key, caller)
  if (masked) parts.push(masked)
  return sql` and (${join(parts, ' or ')})`
}

/** SQL condition for a code that the caller sees only masked: the whole value or its visible end. */
function byMaskedCode(
  resource: Resource<any, any>,
  code: string | undefined,
  key: string,
  caller: Caller,
): Sql | undefined {
  const field = code && !isSearchableField(resource, code, caller) ? findFilterField(resource, code) : undefined
  return field && maskedValueMatchSql(sql`r.${columnNameSql(code!)}`, field, key, caller)
}

/** Query parameters that are filters and not parameters of the route itself. */
function optionFilters(
  { query }: Call,
  resource: Resource<any, any>,
  { isListed }: OptionsQuery,
): Record<string, string> {
  const { key: _key, ids: _ids, size: _size, tree: _tree, parentId: _parent, tenantId: _tenant, ...rest } = query
  return isListed ? rest : links(resource, rest)
}

function optionOf(resource: Resource<any, any>, { code, parent }: OptionColumns, row: Record<string, unknown>): Option {
  const field = code === undefined ? undefined : (resource.fields[code] as Field)
  return {
    id: String(row.id),
    title: (row.title as string | null) ?? '',
    ...(field && row.code ? { code: String(fieldKindOf(field).wire(row.code, field)) } : {}),
    ...(parent ? { parentId: String(row.parentId ?? '0') } : {}),
  }
}

const LABEL = {
  key: { zh: '关键字', en: 'Keyword' },
  size: { zh: '条数', en: 'Page size' },
  ids: { zh: '编号', en: 'IDs' },
}

/** Maximum settings of one user: one for each page and some more, so that nobody fills the database. */
const SETTINGS_MAX = 500

/**
 * Routes of the kit itself: picker options, dictionary labels, personal settings, views, history, recycle bin, bulk
 * runs, background tasks, personal data.
 */
export const kitRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/kit/options/:resource',
    title: { zh: '选项', en: 'Options' },
    can: { signedIn: 'titles and ids only, in tenant and data scope, for who may list or fill in a reference' },
    tx: false,
    input: {
      key: f.text({ label: LABEL.key, max: 100 }),
      ids: f.longText({ label: LABEL.ids, max: 5000 }),
      size: f.number({ label: LABEL.size, min: 1, max: OPTIONS_MAX }),
      tree: f.boolean({ label: { zh: '树', en: 'Tree' } }),
      parentId: f.ref('', { label: { zh: '上级', en: 'Parent' } }),
      beyond: f.boolean({ label: { zh: '含本人范围以外', en: 'Include outside my scope' } }),
    },
    handle: async (call) => {
      const served = call.services.registry.served.get(call.query.resource ?? '')
      if (!served) throw new Refused('no_such_path')
      const isListed = await hasListPermission(call, served)
      if (!mayChoose(call, served.resource, isListed)) throw new Refused('forbidden')
      if (call.input.beyond && !mayChooseBeyond(call, served.resource)) throw new Refused('forbidden')
      const reach = call.input.beyond ? asNamedBeyond(call) : call
      return optionsOf(reach, served.resource, { ...call.input, tree: call.input.tree ?? false, isListed })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/dictionary',
    title: { zh: '字典文字', en: 'Dictionary labels' },
    can: { signedIn: 'words of choices' },
    tx: false,
    input: { codes: f.longText({ label: { zh: '字典编号', en: 'Dictionary codes' }, required: true, max: 2000 }) },
    handle: async (call) => {
      await call.services.labels.ready(call.caller.tenantId)
      return Object.fromEntries(
        call.input.codes
          .split(',')
          .slice(0, 50)
          .map((code) => [code, call.services.labels.entries(call.caller.tenantId, code, call.lang)]),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/settings/:key',
    title: { zh: '个人设置', en: 'Personal settings' },
    can: { signedIn: "a user's own settings" },
    handle: async ({ db, query, caller }) => ({
      value:
        (
          await db.one<{ value: unknown }>(
            sql`select value from user_setting where tenant_id = ${db.tenantId} and user_id = ${caller.userId}
              and key = ${query.key!.slice(0, 100)}`,
          )
        )?.value ?? {},
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/settings/:key',
    title: { zh: '保存个人设置', en: 'Save personal settings' },
    can: { signedIn: "a user's own settings" },
    log: false,
    input: { value: f.json({ label: { zh: '设置', en: 'Settings' }, required: true, max: 20_000 }) },
    handle: async ({ db, query, caller, input }) => {
      const key = query.key!.slice(0, 100)
      const kept = await db.one<{ n: number }>(
        sql`select count(*)::int as n from user_setting where tenant_id = ${db.tenantId} and user_id = ${caller.userId}
          and key <> ${key}`,
      )
      if (kept!.n >= SETTINGS_MAX) throw new Refused('too_many_settings', { max: SETTINGS_MAX })
      await db.run(
        sql`insert into user_setting (tenant_id, user_id, key, value)
          values (${db.tenantId}, ${caller.userId}, ${key}, ${JSON.stringify(input.value)})
          on conflict (tenant_id, user_id, key) do update set value = excluded.value, update_time = now()`,
      )
    },
  }),
  ...savedViewRoutes,
  ...placedViewRoutes,
  ...dayTotalRoutes,
  ...historyRoutes,
  ...recycleBinRoutes,
  ...bulkRoutes,
  ...backgroundTaskRoutes,
  ...personalDataRoutes,
]
