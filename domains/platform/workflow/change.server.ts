import { isEmptyInput, type Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { localize } from '#kit/base/localized-text.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { empty, sql, type Sql } from '#kit/server/database/db.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { presentHistoricalRows } from '#kit/server/history/history.ts'
import { isSecretFieldValue } from '#kit/server/database/change-log.ts'
import { requestedOperationOf, requestBodyObject, canonicalPath } from '#kit/server/request/requested-operation.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { findRoute } from '#kit/server/resource/call-route.ts'
import {
  type ModuleRegistry,
  invalidFieldRefusal,
  defineRoute,
  serve,
  type Call,
  type Route,
} from '#kit/server/module/module.ts'
import { findServedResource } from '#kit/server/resource/custom-fields.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { findApprovableOperation, listApprovableOperations, isSelectableOperation } from './acts-offered.ts'
import { changedFieldKeys, findResourceOfRoute, findStaleRows, rowEffectsToShow, type RowEffect } from './effects.ts'
import { InvalidExpressionError, checkExpression, findVariablePaths } from './expression.ts'
import { CHANGE_REQUEST_STATE, flowChange } from './flow-change.resource.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { flowRule } from './flow-rule.resource.ts'
import { publishApprovalRulesChanged } from './rules.ts'
import { loadStoredChangeRequest, type StoredChangeRequest } from './run-change.ts'

/**
 * Shows all change requests to who may follow processes, else those the caller requested or has to approve.
 * `mine=answered` selects those the caller requested or agreed to and may wrongly take for done.
 */
export const flowChangeServer = serve(flowChange, {
  where: ({ caller, query }) => {
    const isRequester = sql`r.user_id = ${caller.userId}`
    const has = (task: Sql) => sql`exists (select 1 from flow_task t where t.tenant_id = r.tenant_id
      and t.instance_id = r.instance_id and (${task}))`
    const assigned = sql`t.assignee = ${caller.userId}`
    if (query.mine === 'answered')
      return sql` and (${isRequester} or ${has(sql`${assigned} and t.state = 'done' and t.is_passed`)})`
    if (hasPermission(caller, flowInstance.code)) return empty
    return sql` and (${isRequester} or ${has(sql`${assigned} or t.users && ${[caller.userId]}::text[]`)})`
  },
  beforeSave: (_draft, was) => rejectManualCreate(flowChange, was),
  present: (wire, rows, { lang }) => {
    if (lang !== 'en') return
    for (const [at, row] of rows.entries()) {
      if (row.titleEn) wire[at]!.title = row.titleEn
      if (row.outcomeEn) wire[at]!.outcome = row.outcomeEn
    }
  },
})

/** Returns why a path is not approvable: reading routes are named, as nobody waits for approval to read. */
function refusalOfAct(registry: ModuleRegistry, path: string): Refused {
  const route = findRoute(registry, path)
  return route?.method === 'GET'
    ? new Refused('flow_rule_only_reads', { name: route.title }, { field: 'act' })
    : invalidFieldRefusal(flowRule, 'act', 'not_a_choice')
}

export const flowRuleServer = serve(flowRule, {
  beforeSave: (draft, was, call) => {
    const act = draft.act ?? was?.act
    if (draft.act) {
      const { registry } = call.services
      const named = findApprovableOperation(registry, canonicalPath(registry, draft.act))
      if (!named || !isSelectableOperation(registry, named)) throw refusalOfAct(registry, draft.act)
      draft.act = named.path
    }
    const condition = draft.condition === undefined ? was?.condition : draft.condition
    if (condition && (draft.condition || draft.act)) {
      requireCondition(condition)
      requireNames(condition, act!, call)
    }
    const has = (key: 'userIds' | 'roleIds') => ((draft[key] === undefined ? was?.[key] : draft[key]) ?? []).length > 0
    const processId = draft.processId === undefined ? was?.processId : draft.processId
    if (!processId && !has('userIds') && !has('roleIds'))
      throw new Refused('flow_rule_nobody', {}, { field: 'userIds' })
  },
  afterSave: (_row, _was, { db, services }) => publishApprovalRulesChanged(db, services),
  afterRemove: (_rows, { db, services }) => publishApprovalRulesChanged(db, services),
  afterRestore: (_row, { db, services }) => publishApprovalRulesChanged(db, services),
})

function requireCondition(text: string): void {
  try {
    checkExpression(text)
    if (!/^\s*[$#]\{[\s\S]*\}\s*$/.test(text)) throw new InvalidExpressionError('应写成 ${…}', 'it is written as ${…}')
  } catch (error) {
    if (!(error instanceof InvalidExpressionError)) throw error
    throw new Refused('flow_bad_condition', { text: error.why }, { field: 'condition' })
  }
}

/** Refuses a condition with unknown variables or row fields: a wrong name would hold every call, or none. */
function requireNames(text: string, act: string, call: Call): void {
  const isOfAnyResource = act.startsWith('/api/kit/')
  const resource = isOfAnyResource ? undefined : findResourceOfRoute(act, call)
  const wrong = findVariablePaths(text).find(([root, key]) => {
    if (!NAMES.has(root!)) return true
    if (root !== 'before' && root !== 'after') return false
    return !!resource && !!key && key !== 'id' && !Object.hasOwn(resource.fields, key)
  })
  if (wrong) throw new Refused('flow_unknown_name', { name: wrong.join('.') }, { field: 'condition' })
}

const NAMES = new Set(['before', 'after', 'args', 'count', 'hour', 'roles', 'user'])

const SHOWN_MAX = 50

/**
 * Returns a change request as the caller may see it: each row before and after, the other arguments, and rows that
 * changed since, as they were and as they are.
 */
export async function presentChangeRequest(call: Call, id: string) {
  const { db, services, lang } = call
  const row = await db.get(flowChange, id)
  if (!row) throw new Refused('not_found', { label: flowChange.label })
  const { call: kept, effects, moved } = await loadStoredChangeRequest(call, id)
  const act = findApprovableOperation(services.registry, kept.path)
  const shown = rowEffectsToShow(effects)
  const rows = []
  for (const effect of shown.slice(0, SHOWN_MAX)) rows.push(await shownRow(call, effect))
  // For an open request, shows already whether it could no longer be executed.
  const isOpen = row.state === CHANGE_REQUEST_STATE.waiting || row.state === CHANGE_REQUEST_STATE.agreed
  const stale = isOpen ? { rows: await findStaleRows(call, effects), isOtherwise: false } : moved
  const movedShown = []
  for (const one of stale?.rows.slice(0, SHOWN_MAX) ?? []) movedShown.push(await shownRow(call, one, one.keys))
  return {
    id,
    title: lang === 'en' ? row.titleEn : row.title,
    act: act ? localize(act.title, lang) : kept.path,
    state: row.state,
    outcome: (lang === 'en' && row.outcomeEn) || row.outcome || '',
    expireTime: row.expireTime,
    count: shown.length,
    rows,
    moved: movedShown,
    isOtherwise: stale?.isOtherwise ?? false,
    args: act && shownArgs(call, act, kept),
  }
}

/** Returns one row as labels and values, without fields the caller may not see and with masks. */
async function shownRow(call: Call, { resource: name, before, after }: RowEffect, among?: readonly string[]) {
  const served = findServedResource(name, call)!
  const { resource } = served
  const fields = resource.fields as Record<string, Field>
  const sees = visibleFields(resource, call.caller)
  const keys = (among ?? changedFieldKeys(before, after)).filter(
    (key) => fields[key] && !fields[key].secret && fields[key].form !== 'hidden' && (sees?.has(key) ?? true),
  )
  const open = keys.filter(
    (key) => ![before, after].some((side) => side && isSecretFieldValue(fields[key]!, key, side)),
  )
  const whole = (before ?? after)!
  const [was, now] = await presentHistoricalRows(served, call, [
    { ...whole, ...before },
    { ...whole, ...after },
  ])
  const wordKeys = open.flatMap((key) => [key, valueLabelKeyOf(key, fields[key]!)])
  const side = (one: Record<string, unknown>) =>
    Object.fromEntries(wordKeys.filter((key) => key in one).map((key) => [key, one[key]]))
  return {
    family: localize(resource.label, call.lang),
    title: String(was![resource.title] ?? ''),
    what: !before ? 'add' : !after ? 'remove' : open.length || keys.length ? 'edit' : 'same',
    fields: Object.fromEntries(open.map((key) => [key, fields[key]])),
    hidden: keys.filter((key) => !open.includes(key)),
    was: before ? side(was!) : {},
    now: after ? side(now!) : {},
  }
}

/** Returns the arguments of the operation with their labels, limited to those it declares. */
function shownArgs(call: Call, act: Route, kept: StoredChangeRequest['call']) {
  const takes: Record<string, Field> = { ...act.documentedInput, ...act.input }
  let values: Record<string, unknown>
  try {
    const given = { ...requestBodyObject(kept), ...kept.query }
    const input = act.input ? parseInput(act.input, given) : {}
    values = requestedOperationOf(act, { ...call, query: kept.query, body: kept.body, input }).values
  } catch (error) {
    // Stored before an update that reads it differently: its execution will be refused with the reason.
    if (error instanceof Refused) return undefined
    throw error
  }
  return Object.entries(takes)
    .filter(([key, field]) => !isEmptyInput(values[key]) && !field.secret && !isSecretFieldValue(field, key, values))
    .filter(([key]) => !['id', 'ids', 'version', 'versions'].includes(key))
    .map(([key, field]) => ({ label: localize(field.label, call.lang), text: textOfArg(call, field, values[key]) }))
}

function textOfArg({ services, db, lang }: Call, field: Field, value: unknown): string {
  const { choices, currency, suffix, wire } = fieldKindOf(field)
  if (choices === 'yesNo') return localize(value ? YES : NO, lang)
  if (choices === 'dictionary') {
    const entries = services.labels.entries(db.tenantId, field.dict!, lang)
    return [value]
      .flat()
      .map((one) => entries.find(({ key }) => key === String(one))?.label ?? String(one))
      .join(', ')
  }
  const shown = wire(value, field)
  const text = typeof shown === 'object' ? JSON.stringify(shown) : String(shown)
  return `${currency ?? ''}${text.slice(0, 200)}${suffix ?? ''}`
}

const YES = { zh: '是', en: 'Yes' }
const NO = { zh: '否', en: 'No' }

export const changeRequestRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/blade-flow/rule/acts',
    title: { zh: '可审批的操作', en: 'Actions that can require approval' },
    can: flowRule.code,
    handle: async ({ services, lang }) =>
      listApprovableOperations(services.registry).map(({ path, title, of }) => ({
        path,
        title: localize(title, lang),
        of: localize(of, lang),
      })),
  }),
]
