import { createHash } from 'node:crypto'
import type { Resource } from '#kit/resource/index.ts'
import { localize } from '#kit/base/localized-text.ts'
import { parseIdInput } from '#kit/fields/base/field-kind.ts'
import { findServedResource } from '#kit/server/resource/custom-fields.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { BULK_PATH } from '#kit/server/lists/bulk.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { requestedOperationOf, requestBodyObject } from '#kit/server/request/requested-operation.ts'
import type { RequestedOperation, Call, Route } from '#kit/server/module/module.ts'
import { PendingApproval, type ApprovalGate } from '#kit/server/request/approval-gate.ts'
import { fieldsChangedByAlias, parseEntity } from '#kit/server/request/parse-input.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { approvableOperationsOfCall, isBulkLike } from './acts-offered.ts'
import { changeRequestQueue } from './change-words.ts'
import { findOrDeployApprovalProcess } from './decider-process.ts'
import {
  countChangedRows,
  findResourceOfRoute,
  loadNamedRowsAsEffects,
  operationToExpressionValues,
  rowToExpressionValue,
  dryRunOperation,
  type OperationEffects,
} from './effects.ts'
import { evaluateExpression, type ExpressionVariables, type ExpressionValue } from './expression.ts'
import { CHANGE_REQUEST_STATE, flowChange } from './flow-change.resource.ts'
import { createFlowContext } from './flow-process.server.ts'
import { findApprovalRules, type ApprovalRule } from './rules.ts'
import { encryptChangeRequestCall } from './run-change.ts'
import { startProcessInstance } from './process-runtime.ts'

/**
 * Creates the gate that holds calls for which the caller's tenant has an approval rule. Platform administrators are
 * exempt.
 */
export const createApprovalGate = (services: Services): ApprovalGate => ({
  guards: async (route, call) =>
    !call.caller.isPlatform && call.caller.userId !== '' && (await rulesOf(services, route, call)).length > 0,
  hold: interceptWrite,
})

/** A rule that applies to a call, with the operation it applies as. */
type Ruled = { rule: ApprovalRule; act: string }

async function rulesOf(services: Services, route: Route, call: Call): Promise<Ruled[]> {
  const ruledBy = async (act: string): Promise<Ruled[]> =>
    (await findApprovalRules(services, call.caller.tenantId, act)).map((rule) => ({ rule, act }))
  const acts = approvableOperationsOfCall(route, call)
  const found = (await Promise.all(acts.map(ruledBy))).flat()
  if (acts.includes(BULK_PATH)) return found
  // Every write passes here and few tenants have a rule on bulk operations, so it is looked up first.
  const ofBulk = await ruledBy(BULK_PATH)
  return ofBulk.length && isBulkLike(route, call) ? [...found, ...ofBulk] : found
}

async function interceptWrite(route: Route, call: Call): Promise<PendingApproval | undefined> {
  const rules = await rulesOf(call.services, route, call)
  // An uploaded file cannot be stored with the request and shown to approvers.
  if (call.file || call.files?.length) throw new Refused('flow_not_by_file', { name: rules[0]!.rule.name })
  const effects = route.tx === false ? await loadNamedRowsAsEffects(route, call) : await dryRunOperation(route, call)
  const found = rules.find(({ rule, act }) => matchesRule(rule, namesOf(route, call, effects, act)))
  return found && createChangeRequest(route, call, found.rule, effects)
}

/** Returns the variables of a rule's condition. `before` and `after` are of the row the operation is about. */
function namesOf(route: Route, call: Call, effects: OperationEffects, act: string): ExpressionVariables {
  const requested = requestedOperationOf(route, call)
  const resource = findResourceOfRoute(route.path, call)
  const { ids } = requested
  const own = effects.rows.filter((one) => one.resource === resource?.name)
  const main = own.find((one) => !ids.length || ids.includes(one.rowId)) ?? own[0]
  const args = operationToExpressionValues(
    resource && main?.before ? meant(resource, call, requested, main.before) : requested,
  )
  return {
    before: main && resource ? rowToExpressionValue(resource, main.before) : null,
    after: main && resource ? rowToExpressionValue(resource, main.after) : null,
    args: act === BULK_PATH && route.path !== BULK_PATH ? asSet(resource, requested, args) : args,
    count: countOf(requested, effects),
    hour: Number(formatShanghaiTime(call.services.now()).slice(11, 13)),
    roles: [...call.caller.roleAliases],
    user: call.caller.userId,
  }
}

/** Returns how many rows an operation affects: the most of those it names, expects and changes. */
const countOf = ({ ids, values }: RequestedOperation, effects: OperationEffects): number =>
  Math.max(ids.length, Number(values.expectedCount) || 0, countChangedRows(effects))

/** Corrects the values of a save in which a changed field was sent under its alias. */
function meant(
  resource: Resource<any, any>,
  { body }: Call,
  requested: RequestedOperation,
  was: Record<string, unknown>,
): RequestedOperation {
  const given = requestBodyObject({ body })
  const others = fieldsChangedByAlias(resource.fields, given, was)
  if (requested.fields !== resource.fields || !Object.keys(others).length) return requested
  const values = Object.entries(others).map(([key, field]) => [key, given[field.wireAlias!]])
  const { draft } = parseEntity(others, Object.fromEntries(values) as Record<string, unknown>, false)
  return { ...requested, values: { ...requested.values, ...draft } }
}

/** Returns the arguments in the form of a bulk operation. */
const asSet = (
  resource: Resource<any, any> | undefined,
  { ids, operation }: RequestedOperation,
  input: Record<string, ExpressionValue>,
) =>
  ({
    resource: resource?.name ?? '',
    operation: operation ?? '',
    ids,
    expectedCount: ids.length,
    input,
  }) satisfies ExpressionValue

/**
 * Returns whether a rule's condition holds. Also true when it cannot be evaluated (a value is missing): an unneeded
 * approval does less harm.
 */
function matchesRule({ condition }: ApprovalRule, names: ExpressionVariables): boolean {
  if (!condition?.trim()) return true
  try {
    return evaluateExpression(condition, names) !== false
  } catch {
    return true
  }
}

async function createChangeRequest(
  route: Route,
  call: Call,
  rule: ApprovalRule,
  effects: OperationEffects,
): Promise<PendingApproval> {
  const { db, caller, services } = call
  const kept = { path: route.path, query: call.query, body: seenSet(route, call, effects), lang: call.lang }
  const digest = createHash('sha256').update(JSON.stringify(kept)).digest('base64url')

  await db.advisoryLock(`change/${caller.userId}/${digest}`)
  const again = await db.find(
    flowChange,
    sql`r.user_id = ${caller.userId} and r.state = ${CHANGE_REQUEST_STATE.waiting} and r.digest = ${digest}`,
  )
  if (again[0]) return new PendingApproval(again[0].id, rule.name)

  const expires = new Date(services.now().getTime() + rule.hours * HOUR_MS)
  const title = titleOf(route, call, effects, await shopsOf(call, effects))
  const row = await db.insert(flowChange, {
    title: title.zh,
    titleEn: title.en,
    path: route.path,
    state: CHANGE_REQUEST_STATE.waiting,
    userId: caller.userId,
    ruleId: rule.id,
    expireTime: formatShanghaiTime(expires),
    digest,
  })

  const asker = { ...caller, permissions: [], apiScopeIds: [] }
  await db.run(sql`insert into flow_change_call (id, tenant_id, call, asker, effects)
    values (${row.id}, ${db.tenantId}, ${JSON.stringify(encryptChangeRequestCall(services, kept))},
      ${JSON.stringify(asker)},
      ${JSON.stringify({ mark: effects.mark, rows: effects.rows })})`)

  const instanceId = await startProcessInstance(createFlowContext(call), await processOf(db, rule), {
    who: { id: caller.userId, groups: caller.roleAliases },
    name: title.zh.slice(0, 200),
    variables: {
      ...(await approverCandidates(db, rule, caller.userId)),
      createUser: caller.name,
      count: countChangedRows(effects),
    },
    business: { table: flowChange.table, id: row.id },
  })

  await db.update(flowChange, row.id, { instanceId })
  await db.enqueue(changeRequestQueue, { id: row.id, isExpiry: true }, { key: `${row.id}/expiry`, runAt: expires })
  return new PendingApproval(row.id, rule.name)
}

/**
 * Returns the body to store. Binds a bulk operation to the set of rows that was previewed; a different set is refused
 * later.
 */
function seenSet(route: Route, { body }: Call, { answer }: OperationEffects): unknown {
  const { set } = (answer ?? {}) as { set?: unknown }
  return route.path === BULK_PATH && typeof set === 'string'
    ? { ...requestBodyObject({ body }), expectedSet: set }
    : body
}

const HOUR_MS = 3_600_000

/** Characters of a row's name shown in a title, leaving space for the rest. */
const NAME_SHOWN = 80
/** Shops named in a title; of more, only the number is shown. */
const SHOPS_NAMED = 3

/** Returns the names of the shops whose rows an operation changes, else of the shop in its arguments. */
async function shopsOf(call: Call, { rows }: OperationEffects): Promise<string[]> {
  const of = rows.flatMap(({ resource, rowId, before, after }) => {
    const key = findServedResource(resource, call)?.resource.scope?.shop
    if (key === 'id') return [rowId]
    return key ? [(before ?? after)?.[key], after?.[key]].flat() : []
  })
  const shopId = { ...requestBodyObject(call), ...call.query }.shopId
  const ids = (of.some(Boolean) ? of : [shopId]).flatMap((one) => {
    const id = parseIdInput(one)
    return 'value' in id && id.value !== null ? [id.value] : []
  })
  const shops = await call.db.query<{ shopName: string }>(sql`select shop_name from basic_shop_info
    where tenant_id = ${call.db.tenantId} and id = any(${ids}::bigint[]) order by id`)
  return shops.map(({ shopName }) => shopName)
}

/**
 * Returns the title of a request: operation, row, shops and, if several rows are affected, how many in total ("商品 保存 ·
 * 可乐 · 西湖店").
 */
function titleOf(
  route: Route,
  call: Call,
  effects: OperationEffects,
  shops: readonly string[],
): { zh: string; en: string } {
  const resource = findResourceOfRoute(route.path, call)
  const one = effects.rows.find((row) => row.resource === resource?.name)
  const name = resource && one ? String((one.before ?? one.after)?.[resource.title] ?? '') : ''
  const count = countOf(requestedOperationOf(route, call), effects)
  const some = shops.filter((shop) => shop !== name).slice(0, SHOPS_NAMED)
  const where = (lang: 'zh' | 'en') => {
    if (shops.length <= SHOPS_NAMED) return some.join(lang === 'zh' ? '、' : ', ')
    return lang === 'zh'
      ? `${some.join('、')}等 ${shops.length} 家门店`
      : `${some.join(', ')} and others, ${shops.length} shops`
  }
  const of = (lang: 'zh' | 'en') =>
    [
      localize(route.title, lang),
      name.slice(0, NAME_SHOWN),
      where(lang),
      count > 1 ? (lang === 'zh' ? `共 ${count} 条` : `${count} rows`) : '',
    ]
      .filter(Boolean)
      .join(' · ')
      .slice(0, 300)
  return { zh: of('zh'), en: of('en') }
}

const processOf = async (db: Db, rule: ApprovalRule): Promise<string> =>
  rule.processId ?? (await findOrDeployApprovalProcess(db, rule.mode))

/** Returns the approvers of a rule, without the requester. Refuses when there are none and the rule has no process. */
async function approverCandidates(
  db: Db,
  rule: ApprovalRule,
  asker: string,
): Promise<{ approvers: string[]; roles: string[] }> {
  const rows = await db.query<{ id: string }>(sql`select u.id::text as id from sys_user u
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0 and coalesce(u.status, 1) = 1 and u.id <> ${asker}
      and (u.id::text = any(${rule.userIds}) or u.role_id && ${rule.roleIds}::bigint[])
    order by array_position(${rule.userIds}, u.id::text) nulls last, u.id limit ${APPROVERS_MAX}`)
  if (!rows.length && !rule.processId) throw new Refused('flow_no_decider', { name: rule.name })
  return { approvers: rows.map((row) => row.id), roles: [] }
}

const APPROVERS_MAX = 100
