import { raw, type Sql } from 'sql-template-tag'
import { fieldEntries, type Field, type FieldKind, type Fields } from '../../fields/base/field-kind.ts'
import { isHeavyField, isReferenceField, isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import { referencedResourceName } from '../../fields/ref/referenced-resource.ts'
import { isSecretFieldName } from '../../fields/base/secret-names.ts'
import {
  baseFields,
  valueLabelKeyOf,
  permissionCodeOf,
  toSqlName,
  type Resource,
} from '../../resource/define-resource.ts'
import type { Lang } from '../../base/localized-text.ts'
import { MANAGEMENT_TENANT, hasPermission, type Caller } from '../base/caller.ts'
import { canReadField, canReadUnmasked, visibleFields } from '../database/data-scope.ts'
import type { ResourceHooks, Call, ModuleRegistry } from '../module/module.ts'
import { SECRET_MASK } from '../base/mask.ts'
import { hasTenantColumn, storedFields } from '../database/row-sql.ts'
import type { Services } from '../module/services.ts'

type Any = Resource<any, any>

/**
 * SQL condition that the referenced row is of the same tenant or the platform, which also acts in its tenants' names.
 * Needed for reads across tenants, where row-level security does not limit the search.
 */
const sameTenantSql = (resource: Any, from: string, target: Any, by: string): string =>
  hasTenantColumn(resource) && hasTenantColumn(target) ? `${by}.tenant_id in (${from}.tenant_id, '000000') and ` : ''

const titleOf = ({ title, titleEn, titleFlag, fields }: Any, alias: string, lang: Lang): string => {
  const [own, english] = [title, titleEn ?? title].map((key) => `${alias}."${toSqlName(key)}"`)
  const text = lang === 'en' && titleEn ? `coalesce(nullif(${english}, ''), ${own})` : own!
  if (!titleFlag) return text
  const words = (fields as Record<string, Field>)[titleFlag]!.label[lang].replaceAll("'", "''")
  return `case when ${alias}."${toSqlName(titleFlag)}" then '${words}' else ${text} end`
}

/** SQL of a row's title; if the title is a reference, the title of that row. */
export function rowTitleSql(registry: ModuleRegistry, resource: Any, alias: string, lang: Lang): string {
  const own = titleOf(resource, alias, lang)
  const field = (resource.fields as Record<string, Field>)[resource.title]
  // Times without time zone, as everywhere on the wire.
  const kind = field && fieldKindOf(field)
  if (kind?.readsAs === 'moment') return `to_char(${own}, 'YYYY-MM-DD HH24:MI:SS')`
  if (kind?.choices !== 'rows' || kind.many || !field?.to || field.keyType === 'text') return `${own}::text`
  const named = registry.resource(field.to)
  return `(select ${titleOf(named, 't', lang)}::text from "${named.table}" t where
    ${sameTenantSql(resource, alias, named, 't')}t.id = ${own})`
}

const named = (field: Field) => !!field.to || !!field.resourceByValue

/** Whether rows of the referenced resources may have another title in English. */
const hasEnglish = (registry: ModuleRegistry, { to, resourceByValue }: Field): boolean =>
  [...(to ? [to] : []), ...Object.values(resourceByValue ?? {})]
    .map((name) => registry.resource(name))
    .some(({ titleEn, titleFlag }) => titleEn ?? titleFlag)

/** SQL columns for a reference's title, and a second one in English where titles differ. */
const titleColumns = (registry: ModuleRegistry, resource: Any, key: string, field: Field): string[] => {
  const name = valueLabelKeyOf(key, field)
  const column = (lang: Lang, as: string) => `${titleSql(registry, resource, key, field, lang)} as "${as}"`
  return [column('zh', name), ...(hasEnglish(registry, field) ? [column('en', inEnglish(name))] : [])]
}
const inEnglish = (name: string) => `${name}.en`

function titleSql(registry: ModuleRegistry, resource: Any, key: string, field: Field, lang: Lang): string {
  if (field.resourceByValue) {
    const cases = Object.entries(field.resourceByValue).map(([value, to]) => {
      const referred = registry.resource(to)
      const title = rowTitleSql(registry, referred, 'x', lang)
      const mine = `r."${toSqlName(key)}"`
      const [shown, where] = fieldKindOf(field).many
        ? [`string_agg(${title}, ',' order by array_position(${mine}, x.id))`, `x.id = any(${mine})`]
        : [title, `x.id = ${mine}`]
      return `when '${value}' then (select ${shown} from "${referred.table}" x where
        ${sameTenantSql(resource, 'r', referred, 'x')}${where})`
    })
    return `(case r."${toSqlName(field.by!)}" ${cases.join(' ')} end)`
  }
  const target = registry.resource(field.to!)
  const from = `from "${target.table}" x where ${sameTenantSql(resource, 'r', target, 'x')}`
  const title = rowTitleSql(registry, target, 'x', lang)
  const mine = `r."${toSqlName(key)}"`
  const by = field.keyType === 'text' ? `x."${toSqlName(key)}"` : 'x.id'
  return fieldKindOf(field).many
    ? `(select string_agg(${title}, ',' order by array_position(${mine}, x.id))
          ${from}x.id = any(${mine}))`
    : `(select ${title} ${from}${by} = ${mine} limit 1)`
}

const lists = new WeakMap<object, Map<string, Sql>>()

/**
 * SELECT list of a read, alias `r`, with the titles of references as subqueries, so that a page needs only one
 * statement. For `list`, heavy fields that are no list column are left out; `only` limits the fields.
 */
export function selectColumnsSql(
  registry: ModuleRegistry,
  resource: Any,
  purpose: 'list' | 'detail',
  only?: readonly string[],
): Sql {
  const known = lists.get(resource) ?? lists.set(resource, new Map()).get(resource)!
  const name = only ? `${purpose} ${only.join()}` : purpose
  const hit = known.get(name)
  if (hit) return hit
  const shown = new Set<string>(resource.list.columns)
  // The title may depend on these further fields.
  const { title, titleEn, titleFlag } = resource
  const wanted = only && new Set([...only, ...(only.includes(title) ? [titleEn, titleFlag] : [])])
  const isLeftOut = ([key, field]: [string, Field]) => purpose === 'list' && !shown.has(key) && isHeavyField(field)
  const fields = storedFields(resource).filter(
    (entry) => !isLeftOut(entry) && (!wanted || wanted.has(entry[0])) && !isWriteOnlyField(entry[1]),
  )
  const base = [
    'id',
    ...(hasTenantColumn(resource) ? ['tenantId'] : []),
    'createUser',
    'createDept',
    'createTime',
    'updateUser',
    'updateTime',
    'version',
  ]
  const parts = [...base, ...fields.map(([key]) => key)].map((key) => `r."${toSqlName(key)}" as "${key}"`)
  for (const [key, field] of fields)
    if (isReferenceField(field) && named(field)) parts.push(...titleColumns(registry, resource, key, field))
  for (const key of ['createUser', 'updateUser'] as const) {
    if (registry.served.has('user') && (purpose === 'detail' || shown.has(key)))
      parts.push(...titleColumns(registry, resource, key, baseFields[key]))
  }
  // One raw text: SQL composed of parts would be joined again for each statement.
  const list = raw(parts.join())
  if (known.size < 50) known.set(name, list)
  return list
}

type Words = (services: Services, tenantId: string, row: Record<string, unknown>, lang: Lang) => unknown
type FieldPlan = { key: string; field: Field; whole: Field; wire: FieldKind['wire']; wordsKey?: string; words?: Words }

/** Returns how the label of a value is found; undefined for kinds without labels. */
function wordsOf(key: string, field: Field): Words | undefined {
  const wordsKey = valueLabelKeyOf(key, field)
  const { choices, many } = fieldKindOf(field)
  if (choices === 'rows')
    return (_services, _tenantId, row, lang) => (lang === 'en' && row[inEnglish(wordsKey)]) || (row[wordsKey] ?? '')
  if (choices === 'dictionary' && !many)
    return ({ labels }, tenantId, row, lang) => (row[key] === null ? '' : labels.dict(tenantId, field, row[key], lang))
  if (choices === 'dictionary')
    return ({ labels }, tenantId, row, lang) =>
      ((row[key] as string[] | null) ?? []).map((one) => labels.dict(tenantId, field, one, lang)).join(',')
  if (choices === 'regions') return ({ labels }, _tenantId, row) => (row[key] ? labels.region(row[key] as string) : '')
  return undefined
}

const plans = new WeakMap<object, FieldPlan[]>()
function planOf(resource: Any): FieldPlan[] {
  let plan = plans.get(resource)
  if (!plan) {
    plan = storedFields(resource)
      .filter(([, field]) => !field.secret)
      .map(([key, field]) => {
        const words = wordsOf(key, field)
        return {
          key,
          field,
          whole: field.mask ? { ...field, mask: undefined } : field,
          wire: fieldKindOf(field).wire,
          ...(words ? { words, wordsKey: valueLabelKeyOf(key, field) } : {}),
        }
      })
    plans.set(resource, plan)
  }
  return plan
}

/** Plan for presenting rows with the same keys; `blank` has all output keys in order. */
type View = { keys: readonly string[]; shown: readonly FieldPlan[]; blank: Record<string, unknown> }

const views = new WeakMap<object, Map<string, View>>()
const VIEWS_MAX = 50

/** Whether the row has exactly these keys in this order. */
function hasKeys(row: Record<string, unknown>, keys: readonly string[]): boolean {
  let at = 0
  for (const key in row) if (row[key] !== undefined && key !== keys[at++]) return false
  return at === keys.length
}

function viewOf(resource: Any, row: Record<string, unknown>, last?: View): View {
  if (last && hasKeys(row, last.keys)) return last
  const keys = Object.keys(row).filter((key) => row[key] !== undefined)
  const known = views.get(resource) ?? views.set(resource, new Map()).get(resource)!
  const name = keys.join()
  let view = known.get(name)
  if (!view) {
    view = newView(resource, keys)
    if (known.size < VIEWS_MAX) known.set(name, view)
  }
  return view
}

function newView(resource: Any, keys: readonly string[]): View {
  const given = new Set(keys)
  const shown = planOf(resource).filter(({ key }) => given.has(key))
  const names = [
    'id',
    ...['tenantId'].filter((key) => given.has(key)),
    ...shown.flatMap(({ key, field, wordsKey }) => [key, field.wireAlias, wordsKey]).filter((key) => key !== undefined),
    'createUser',
    'createDept',
    'updateUser',
    ...['createUserName', 'updateUserName'].filter((key) => given.has(key)),
    'createTime',
    'updateTime',
    'version',
    ...(resource.remove === 'soft' ? ['isDeleted'] : []),
  ]
  return { keys, shown, blank: Object.fromEntries(names.map((name) => [name, null])) }
}

/**
 * Converts a row selected with `selectColumnsSql` to wire form: values, and labels of references, dictionaries and
 * regions; masked unless `caller` may see it unmasked.
 */
export function presentRow(
  services: Services,
  resource: Any,
  row: Record<string, unknown>,
  lang: Lang,
  caller?: Caller,
  view = viewOf(resource, row),
): Record<string, unknown> {
  // Copying an object with all keys is faster: one that gets dozens of keys one by one becomes a slow hash table.
  const out = { ...view.blank }
  const tenantId = (row.tenantId as string | undefined) ?? MANAGEMENT_TENANT
  out.id = String(row.id)
  if (row.tenantId !== undefined) out.tenantId = row.tenantId
  for (const { key, field, whole, wire, words, wordsKey } of view.shown) {
    out[key] = wire(row[key], field.mask && caller && canReadUnmasked(resource, field, caller) ? whole : field)
    if (field.wireAlias) out[field.wireAlias] = out[key]
    if (words) out[wordsKey!] = words(services, tenantId, row, lang)
  }
  presentTitle(out, resource, row, lang)
  presentAuthorship(out, row)
  if (resource.remove === 'soft') out.isDeleted = 0
  return out
}

/** Replaces the title by its English text, or by the label of `titleFlag`. */
function presentTitle(out: Record<string, unknown>, resource: Any, row: Record<string, unknown>, lang: Lang): void {
  const { title, titleEn, titleFlag } = resource
  if (lang === 'en' && titleEn && row[titleEn]) out[title] = row[titleEn]
  if (titleFlag && row[titleFlag]) out[title] = resource.fields[titleFlag].label[lang]
}

/** Adds creator, updater, times and version. */
function presentAuthorship(out: Record<string, unknown>, row: Record<string, unknown>): void {
  out.createUser = row.createUser ?? ''
  out.createDept = row.createDept ?? ''
  out.updateUser = row.updateUser ?? ''
  if (row.createUserName !== undefined) out.createUserName = row.createUserName ?? ''
  if (row.updateUserName !== undefined) out.updateUserName = row.updateUserName ?? ''
  out.createTime = row.createTime ?? ''
  out.updateTime = row.updateTime ?? ''
  out.version = row.version ?? 0
}

/**
 * Whether the caller may see titles of a resource's rows: not where its title field is hidden from them. If the title
 * is a reference, that row's title must be visible too.
 */
export function canReadTitle(registry: ModuleRegistry, resource: Any, caller: Caller): boolean {
  const field = (resource.fields as Record<string, Field>)[resource.title]
  if (!field || caller.isAdmin || !caller.dataScopes.length) return true
  if (!canReadField(resource, resource.title, caller)) return false
  const named = fieldKindOf(field).choices === 'rows' && field.to ? registry.resource(field.to) : undefined
  return !named || canReadField(named, named.title, caller)
}

/** Empties labels of references to rows whose titles are hidden from the caller. */
function withoutHiddenNames(
  registry: ModuleRegistry,
  resource: Any,
  caller: Caller,
  wire: Record<string, unknown>[],
): void {
  if (caller.isAdmin || !caller.dataScopes.length) return
  // Looked up once for each resource, not for each row.
  const hidden = new Map([['', false]])
  const isHidden = (name: string): boolean => {
    const known = hidden.get(name) ?? !canReadTitle(registry, registry.resource(name), caller)
    hidden.set(name, known)
    return known
  }
  const { createUser, updateUser } = baseFields
  const people: Fields = registry.served.has('user') ? { createUser, updateUser } : {}
  const named = fieldEntries({ ...(resource.fields as Fields), ...people }).filter(
    ([, field]) =>
      isReferenceField(field) && [field.to ?? '', ...Object.values(field.resourceByValue ?? {})].some(isHidden),
  )
  for (const [key, field] of named) {
    const words = valueLabelKeyOf(key, field)
    for (const row of wire) if (row[words] && isHidden(referencedResourceName(field, row))) row[words] = ''
  }
}

/** Removes fields hidden from the caller, with their labels. */
export function omitHiddenFieldValues(
  registry: ModuleRegistry,
  resource: Any,
  caller: Caller,
  wire: Record<string, unknown>[],
): Record<string, unknown>[] {
  withoutHiddenNames(registry, resource, caller, wire)
  const visible = visibleFields(resource, caller)
  if (!visible) return wire
  const fields = resource.fields as Record<string, Field>
  const hidden = Object.keys(fields)
    .filter((key) => !visible.has(key))
    .flatMap((key) => [
      key,
      valueLabelKeyOf(key, fields[key]!),
      ...(fields[key]!.wireAlias ? [fields[key]!.wireAlias] : []),
    ])
  for (const row of wire) for (const key of hidden) delete row[key]
  return wire
}

/** Whether the field is one line of free text. */
const isLine = (field: Field): boolean => !!fieldKindOf(field).isFree && !!fieldKindOf(field).sortable

const secretKeys = new WeakMap<object, string[]>()

/** Readable fields whose names sound secret, such as the id of a key. Lists show them masked. */
export function readableSecretNamedKeys(resource: Any): string[] {
  const known = secretKeys.get(resource)
  if (known) return known
  const keys = fieldEntries(resource.fields as Fields)
    .filter(([key, field]) => isLine(field) && !field.secret && isSecretFieldName(key))
    .map(([key]) => key)
  secretKeys.set(resource, keys)
  return keys
}

export async function presentRows(
  call: Call,
  resource: Any,
  hooks: ResourceHooks<any>,
  rows: Record<string, unknown>[],
  place: 'list' | 'detail' = 'list',
): Promise<Record<string, unknown>[]> {
  let view: View | undefined
  const wire = rows.map((row) => {
    view = viewOf(resource, row, view)
    return presentRow(call.services, resource, row, call.lang, call.caller, view)
  })
  await hooks.present?.(wire, rows as never, call)
  const keys = readableSecretNamedKeys(resource)
  // Shown one at a time, and only to callers who may edit; a list would reveal all.
  if (keys.length && (place === 'list' || !hasPermission(call.caller, permissionCodeOf(resource, 'edit'))))
    for (const row of wire) for (const key of keys) if (row[key]) row[key] = SECRET_MASK
  return omitHiddenFieldValues(call.services.registry, resource, call.caller, wire)
}
