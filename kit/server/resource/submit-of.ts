import { requirePlatformCaller } from '../base/require-platform-caller.ts'
import sql, { empty, type Sql } from 'sql-template-tag'
import {
  type Field,
  type Fields,
  type FieldProblem,
  fieldEntries,
  fieldEntriesWithOption,
  isEmptyInput,
  isMinusOneInput,
  parseIdInput,
} from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { referencedResourceName } from '../../fields/ref/referenced-resource.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import { MANAGEMENT_TENANT, hasPermission } from '../base/caller.ts'
import { cleanHtml } from './clean-html.ts'
import { dataScopeSql, writeScopeSql } from '../database/data-scope.ts'
import { awaitBatch, type Db } from '../database/db.ts'
import { ignoreUnchangedProblems, rejectIgnoredFields, omitHiddenFields } from './read-only-fields.ts'
import { referenceableRowsSql, callForReference, visibleRowsSql } from './list-of.ts'
import { lockAgainstRemoval } from './references.ts'
import { requestBodyObject, parseRowIds } from '../request/requested-operation.ts'
import { type RequestedOperation, invalidInputRefusal, type Call, type ServedResource } from '../module/module.ts'
import { fieldsChangedByAlias, parseEntity, checkConditionalRequired } from '../request/parse-input.ts'
import { withTenantCustomFields } from './custom-fields.ts'
import { readableSecretNamedKeys, omitHiddenFieldValues, presentRow, selectColumnsSql } from './present.ts'
import { SECRET_MASK } from '../base/mask.ts'
import { Refused } from '../base/refused.ts'
import {
  notDeletedSql,
  columnNameSql,
  hasTenantColumn,
  tenantPredicateSql,
  resourceColumnsSql,
  tableNameSql,
} from '../database/row-sql.ts'
import { updateRowDeferred } from '../database/rows.ts'
import { changedTopicOf } from '../../resource/topic.ts'

type Problems = Parameters<typeof invalidInputRefusal>[0]

export const submitTitle = ({ label }: Pick<Resource<any, any>, 'label'>) => ({
  zh: `${label.zh}保存`,
  en: `${label.en}: save`,
})

/**
 * POST {base}/submit: adds a row without an id, else changes it. Steps: check permission, parse, lock the old row
 * (within tenant and scope), check its version, check references, `beforeSave`, write, `afterSave`, notify browsers.
 */
export async function handleSubmitCall(declared: ServedResource, call: Call): Promise<Record<string, unknown>> {
  const served = withTenantCustomFields(declared, call)
  const { resource, hooks } = served
  const given = call.body
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Refused('bad_body')
  const entity = given as Record<string, unknown>
  const isNew = isEmptyInput(entity.id) || isMinusOneInput(entity.id)
  const verb = isNew ? 'add' : 'edit'
  if (!hasPermission(call.caller, permissionCodeOf(resource, verb))) throw new Refused('forbidden')
  if (resource.tenancy === 'platform') requirePlatformCaller(call)
  if (resource.writer !== 'office' && !hooks.allowManualEdit)
    throw new Refused('written_elsewhere', { label: resource.label })
  if (resource.appendOnly && !isNew) throw new Refused('written_elsewhere', { label: resource.label })
  const save = (db: Db) => saveEntity(served, { ...call, db }, entity, isNew)
  if (!hasTenantColumn(resource)) return call.db.acrossTenants('platform rows have no tenant', save)
  const tenantId = await tenantToWriteIn(resource, call, entity, isNew)
  if (tenantId === call.caller.tenantId) return save(call.db)
  return call.db.acrossTenants('platform administrator writes for a tenant', (db) => db.asTenant(tenantId, save))
}

/**
 * Tenant to write in: the caller's own. A platform administrator writes in the tenant of the row, or for a new row in
 * the one it names.
 */
async function tenantToWriteIn(
  resource: Resource<any, any>,
  call: Call,
  entity: Record<string, unknown>,
  isNew: boolean,
): Promise<string> {
  if (!call.caller.isPlatform) return call.caller.tenantId
  if (isNew) {
    const named = entity.tenantId
    if (isEmptyInput(named) || isMinusOneInput(named)) return call.caller.tenantId
    return requireExistingTenant(call.db, named)
  }
  return (
    (await tenantIdsByRow(call, resource, [requireRowId(resource, entity.id)])).get(
      requireRowId(resource, entity.id),
    ) ?? call.caller.tenantId
  )
}

/** Returns the tenant a platform administrator named; refuses one that does not exist. */
export async function requireExistingTenant(db: Db, tenantId: unknown): Promise<string> {
  const missing = new Refused('not_found', { label: { zh: '租户', en: 'Tenant' } })
  if (typeof tenantId !== 'string' || !/^\d{1,12}$/.test(tenantId)) throw missing
  if (tenantId === MANAGEMENT_TENANT) return tenantId
  const found = await db.acrossTenants('does the named tenant exist', (all) =>
    all.one(sql`select 1 from tenant where tenant_id = ${tenantId} and is_deleted = 0`),
  )
  if (!found) throw missing
  return tenantId
}

export async function tenantIdsByRow(
  call: Call,
  resource: Resource<any, any>,
  ids: readonly string[],
  state: 'alive' | 'removed' = 'alive',
): Promise<Map<string, string>> {
  const rows = await call.db.acrossTenants('platform administrator: whose rows are these', (db) =>
    db.query<{ id: string; tenantId: string }>(
      sql`select r.id, r.tenant_id from ${tableNameSql(resource)} r
        where r.id = any(${ids as string[]}::bigint[])${
          state === 'alive'
            ? notDeletedSql(resource)
            : sql`
          and r.is_deleted = 1`
        }`,
    ),
  )
  return new Map(rows.map((row) => [row.id, row.tenantId]))
}

export function requireRowId(resource: Resource<any, any>, given: unknown): string {
  const parsed = parseIdInput(given)
  if ('problem' in parsed || parsed.value === null) throw new Refused('not_found', { label: resource.label })
  return parsed.value
}

/** What a save asks for: the fields it writes, from the body only. */
export function submitOperationOf(served: ServedResource, call: Call): RequestedOperation {
  const { fields } = withTenantCustomFields(served, call).resource
  const { id, version, ...entity } = requestBodyObject(call)
  const isNew = isEmptyInput(id) || isMinusOneInput(id)
  const { draft } = parseEntity(fields, entity, isNew)
  return { values: { ...draft, ...(isNew ? {} : { id, version }) }, fields, ids: isNew ? [] : parseRowIds({ id }) }
}

async function saveEntity(
  served: ServedResource,
  call: Call,
  given: Record<string, unknown>,
  isNew: boolean,
): Promise<Record<string, unknown>> {
  const { resource, hooks } = served
  const entity = isNew ? given : omitHiddenFields(served, call, given)
  const fields = resource.fields as Record<string, Field>
  const { draft, problems } = parseEntity(fields, entity, isNew)
  const was = isNew ? undefined : await lockVisibleRow(served, call, requireRowId(resource, entity.id))
  if (was) {
    takeAliases(fields, entity, was, { draft, problems })
    if (isStaleVersion(entity.version, was.version)) throw await versionConflictRefusal(served, call, was.id)
    keepMaskedValues(fields, entity, was, problems)
  }
  await call.services.labels.ready(call.db.tenantId)
  if (was) {
    await rejectIgnoredFields(served, call, entity, was)
    await ignoreUnchangedProblems(served, call, entity, was, problems)
    keepMaskedKeys(resource, draft)
  }
  checkConditionalRequired(fields, draft, problems, was)
  // Before checking references: ids filled in here are locked and checked like sent ones.
  requireLimits(call, fields, draft, isNew, problems)
  Object.assign(problems, await checkReferences(call, fields, draft, was))
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
  cleanDocuments(fields, draft)
  await hooks.beforeSave?.(draft, was as never, call)
  // The result is not needed, so the update is sent along with the next statement, usually the COMMIT.
  const ridden = was && !hooks.afterSave && !hooks.answer ? updateRowDeferred(call.db, resource, was, draft) : undefined
  const row = ridden ?? (was ? await call.db.update(resource, was.id, draft) : await call.db.insert(resource, draft))
  await hooks.afterSave?.(row, was as never, call)
  publishRowsChanged(call, resource, [row])
  return { id: row.id, version: row.version, ...hooks.answer?.of(row, call) }
}

/** Parses values that were changed under their field's alias. */
function takeAliases(
  fields: Fields,
  entity: Record<string, unknown>,
  was: Record<string, unknown>,
  { draft, problems }: { draft: Record<string, unknown>; problems: Problems },
): void {
  for (const [key, field] of Object.entries(fieldsChangedByAlias(fields, entity, was))) {
    const other = parseEntity({ [key]: field }, { [key]: entity[field.wireAlias!] }, false)
    Object.assign(draft, other.draft)
    Object.assign(problems, other.problems)
  }
}

/** A secret sent back masked, as lists show it, stays unchanged. */
function keepMaskedKeys(resource: Resource<any, any>, draft: Record<string, unknown>): void {
  for (const key of readableSecretNamedKeys(resource)) if (draft[key] === SECRET_MASK) delete draft[key]
}

function cleanDocuments(fields: Fields, draft: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(draft))
    if (typeof value === 'string' && fieldKindOf(fields[key]!).document === 'html') draft[key] = cleanHtml(value)
}

/** A masked value sent back as it was read stays unchanged. */
function keepMaskedValues(
  fields: Fields,
  entity: Record<string, unknown>,
  was: Record<string, unknown>,
  problems: Problems,
): void {
  for (const key of Object.keys(problems)) {
    const field = fields[key]!
    if (field.mask && entity[key] === fieldKindOf(field).wire(was[key], field)) delete problems[key]
  }
}

/** Whether the sent version is outdated. A client that sends none (empty, or -1 for an absent number) overwrites. */
export const isStaleVersion = (given: unknown, version: number): boolean =>
  !isEmptyInput(given) &&
  !isMinusOneInput(given) &&
  !(['string', 'number'].includes(typeof given) && Number(given) === version)

/**
 * Returns a row the caller may see, locked until the transaction ends. Refuses rows that also belong to others
 * (writeScopeSql) and rows of append-only resources.
 */
export async function lockVisibleRow(served: ServedResource, call: Call, id: string): Promise<any> {
  // The database role has no right to change these rows either.
  if (served.resource.appendOnly) throw new Refused('written_elsewhere', { label: served.resource.label })
  await served.hooks.beforeLock?.(id, call)
  return requireVisibleRow(served, call, id, sql` for update`)
}

/** Like `lockVisibleRow`, without a lock, for reads. */
export async function requireVisibleRow(
  served: ServedResource,
  call: Call,
  id: string,
  lock: Sql = empty,
): Promise<any> {
  const { resource } = served
  const scope = sql`${dataScopeSql(resource, call.caller)}${served.hooks.where?.(call) ?? empty}`
  const own = writeScopeSql(resource, call.caller)
  const row = await call.db.one(
    sql`select ${resourceColumnsSql(resource)}${own ? sql`, ${own} as "is.own"` : empty}
      from ${tableNameSql(resource)} r
      where r.id = ${id}${
        hasTenantColumn(resource)
          ? sql`
        and r.tenant_id = ${call.db.tenantId}`
          : empty
      }${notDeletedSql(resource)}${scope}${lock}`,
  )
  if (!row) throw await notOwn(served, call, id)
  if (!own) return row
  const { 'is.own': isOwn, ...rest } = row
  if (!isOwn) throw new Refused('of_others_too')
  return rest
}

/**
 * Refusal for a row that was not found: if it is the platform's row of a shared resource, says that it is read-only.
 */
async function notOwn({ resource }: ServedResource, call: Call, id: string): Promise<Refused> {
  const isCommon =
    resource.tenancy === 'shared' &&
    (await call.db.one(sql`select 1 from ${tableNameSql(resource)} r where r.id = ${id}
      and r.tenant_id = ${MANAGEMENT_TENANT}${notDeletedSql(resource)}`))
  return new Refused(isCommon ? 'common_to_all' : 'not_found', { label: resource.label })
}

export async function versionConflictRefusal(served: ServedResource, call: Call, id: string): Promise<Refused> {
  const row = await call.db.one(
    sql`select ${selectColumnsSql(call.services.registry, served.resource, 'detail')} ${visibleRowsSql(served, call)}
      and r.id = ${id}`,
  )
  return new Refused(
    'changed_meanwhile',
    {},
    row
      ? {
          row: omitHiddenFieldValues(call.services.registry, served.resource, call.caller, [
            presentRow(call.services, served.resource, row, call.lang, call.caller),
          ])[0],
        }
      : {},
  )
}

/** Checks that references point to rows the caller may see, and that dictionary keys and regions exist. */
async function checkReferences(
  call: Call,
  fields: Fields,
  draft: Record<string, unknown>,
  was: Record<string, unknown> | undefined,
): Promise<Problems> {
  const problems: Problems = {}
  const keys = new Set([...Object.keys(draft), ...fieldEntriesWithOption(fields, 'same').map(([key]) => key)])
  for (const [key, field] of fieldEntries(fields)) {
    if (!keys.has(key)) continue
    const problem = await referenceProblem(call, fields, key, draft, was)
    if (problem) problems[key] = { problem, field }
  }
  return problems
}

/** Returns the problem of one reference: not found for this caller, or of another parent (`same`) than the row. */
async function referenceProblem(
  call: Call,
  fields: Fields,
  key: string,
  draft: Record<string, unknown>,
  was: Record<string, unknown> | undefined,
): Promise<FieldProblem | undefined> {
  const field = fields[key]!
  const owner = field.same
  const isSameOwner = !owner || !changes(owner, draft, was)
  const isSent = draft[key] !== undefined
  // An unsent value stays, but must belong to the parent that was sent.
  if (!isSent && isSameOwner) return undefined
  const value = valueAfter(key, draft, was)
  if (value === undefined || value === null) return undefined
  // The value a row already has may stay, even if it is no longer offered or was removed.
  if (was && isSameOwner && JSON.stringify(was[key]) === JSON.stringify(value)) return undefined
  const to = referencedResourceName(field, { ...was, ...draft })
  if (isSent && (await isMissing(call, field, to, value)))
    return { code: fieldKindOf(field).choices === 'dictionary' ? 'not_a_choice' : 'not_found' }
  if (owner && !(await hasSameParent(call, field, value, owner, valueAfter(owner, draft, was))))
    return { code: 'of_other', params: { owner: fields[owner]!.label } }
  return undefined
}

/** Value of the field after the save. */
const valueAfter = (key: string, draft: Record<string, unknown>, was: Record<string, unknown> | undefined): unknown =>
  draft[key] === undefined ? was?.[key] : draft[key]

/** Whether the sent value differs from the row's. */
const changes = (key: string, draft: Record<string, unknown>, was: Record<string, unknown> | undefined): boolean =>
  draft[key] !== undefined && String(draft[key]) !== String(was?.[key])

/** Checks references in an action's input, by the same rules as in a form. */
export async function requireValidReferences(
  call: Call,
  fields: Fields,
  input: Record<string, unknown>,
): Promise<void> {
  await call.services.labels.ready(call.db.tenantId)
  const problems = await checkReferences(call, fields, input, undefined)
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
}

/** Whether a value (or one of several) is not among the existing choices. */
async function isMissing(call: Call, field: Field, to: string, value: unknown): Promise<boolean> {
  const { labels } = call.services
  const { choices } = fieldKindOf(field)
  // Fields without choices may have values of any shape.
  if (!choices) return false
  const values = [value].flat().map(String)
  switch (choices) {
    case 'dictionary':
      return values.some((one) => !labels.hasKey(call.db.tenantId, field, one))
    case 'regions':
      return values.some((one) => labels.region(one) === '')
    case 'rows':
      return !!to && field.keyType !== 'text' && !(await refersToVisible(call, field, to, value))
    default:
      return false
  }
}

async function refersToVisible(call: Call, field: Field, to: string, value: unknown): Promise<boolean> {
  const ids = ((Array.isArray(value) ? value : [value]) as string[]).filter(
    (id) => !(fieldKindOf(field).isParent && id === '0'),
  )
  const target = call.services.registry.resource(to)
  // Sent in one message. The check is a separate statement after the lock, so it sees what was committed while waiting.
  const [, exist] = await awaitBatch([
    lockAgainstRemoval(call.db, target, ids),
    areReferenceableRows(callForReference(call, field), target, ids),
  ])
  return exist
}

/** Whether all these rows exist in the transaction's tenant and are in the caller's list. */
export async function areReferenceableRows(
  call: Call,
  target: Resource<any, any>,
  given: readonly string[],
): Promise<boolean> {
  const ids = [...new Set(given)]
  if (!ids.length) return true
  const within = tenantPredicateSql(target, { tenantId: call.db.tenantId, isCrossTenant: false })
  const found = await call.db.one<{ n: number }>(
    sql`select count(*)::int as n from ${tableNameSql(target)} r
      where r.id = any(${ids}::bigint[])${within}${notDeletedSql(target)}${referenceableRowsSql(call, target)}`,
  )
  return found!.n === ids.length
}

/** Whether the referenced rows have the same parent as this row: a tag's gateway must be in the tag's shop. */
async function hasSameParent(
  call: Call,
  field: Field,
  value: unknown,
  owner: string,
  wanted: unknown,
): Promise<boolean> {
  if (isEmptyInput(wanted)) return true
  const ids = [value].flat() as string[]
  const other = await call.db.one(
    sql`select 1 from ${tableNameSql(call.services.registry.resource(field.to!))} r
      where r.id = any(${ids}::bigint[]) and r.${columnNameSql(owner)} is distinct from ${wanted} limit 1`,
  )
  return !other
}

/** A caller limited to some shops (…) must choose one of them; if there is only one, a new row gets it by default. */
function requireLimits(
  { caller: { limits } }: Call,
  fields: Record<string, Field>,
  draft: Record<string, unknown>,
  isNew: boolean,
  problems: Problems,
): void {
  for (const [key, field] of fieldEntriesWithOption(fields, 'requiredOf')) {
    const ids = limits[field.requiredOf!]
    // Hidden fields are set by the module from values it has checked.
    if (!ids || field.form === 'hidden') continue
    const value = draft[key]
    if (value === undefined && !isNew) continue
    const given = (isEmptyInput(value) ? [] : [value].flat()) as string[]
    if (problems[key] && problems[key].problem.code !== 'required') continue
    if (!given.length && isNew && ids.length === 1) {
      draft[key] = fieldKindOf(field).many ? [...ids] : ids[0]
      delete problems[key]
    } else if (!given.length) problems[key] = { problem: { code: 'required' }, field }
    else if (!given.every((id) => ids.includes(id))) problems[key] = { problem: { code: 'not_found' }, field }
  }
}

/** Notifies browsers that rows changed, limited to those who may see them. */
export function publishRowsChanged(
  call: { db: Db },
  resource: Resource<any, any>,
  rows: readonly Record<string, any>[],
): void {
  const byLimit = new Map<string, { ids: string[]; limits: Record<string, string> }>()
  for (const row of rows) {
    const limits: Record<string, string> = {}
    for (const [limit, key] of Object.entries(resource.scope)) {
      const value = row[key]
      if (value !== undefined && value !== null && !Array.isArray(value)) limits[limit] = String(value)
    }
    const group = JSON.stringify(limits)
    const entry = byLimit.get(group) ?? byLimit.set(group, { ids: [], limits }).get(group)!
    entry.ids.push(row.id as string)
  }
  for (const { ids, limits } of byLimit.values())
    call.db.publish(changedTopicOf(resource), { ids: ids.slice(0, 100) }, { permission: resource.code, limits })
}
