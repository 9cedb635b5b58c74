import type { Field } from '#kit/fields/field-kind.ts'
import { labelKeyOf } from '#kit/resource/define-resource.ts'
import { say } from '#kit/resource/words.ts'
import { may } from '#kit/server/caller.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { presentPast } from '#kit/server/history/history.ts'
import { isHidden } from '#kit/server/history/change-log.ts'
import { familyOf } from '#kit/server/resource/own-served.ts'
import { refuseHandEdit } from '#kit/server/resource/hand-edit.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, route, serve, type Call, type Route } from '#kit/server/room.ts'
import { actAt, actsOf } from './acts-offered.ts'
import { argsOf, changedKeys, familyOfRoute, type Effect } from './effects.ts'
import { BadExpression, checkExpression, namesIn } from './expression.ts'
import { flowChange } from './flow-change.resource.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { flowRule } from './flow-rule.resource.ts'
import { rulesChanged } from './rules.ts'
import { keptOf } from './run-change.ts'

/** Who may follow processes sees all; everybody else what they asked or have to decide about. */
export const flowChangeServer = serve(flowChange, {
  where: ({ caller }) =>
    may(caller, flowInstance.code)
      ? empty
      : sql` and (r.user_id = ${caller.userId} or exists (select 1 from flow_task t where t.tenant_id = r.tenant_id
          and t.instance_id = r.instance_id and (t.assignee = ${caller.userId}
          or t.users && ${[caller.userId]}::text[])))`,
  beforeSave: (_draft, was) => refuseHandEdit(flowChange, was),
  present: (wire, rows, { lang }) => {
    if (lang !== 'en') return
    for (const [at, row] of rows.entries()) {
      if (row.titleEn) wire[at]!.title = row.titleEn
      if (row.outcomeEn) wire[at]!.outcome = row.outcomeEn
    }
  },
})

export const flowRuleServer = serve(flowRule, {
  beforeSave: (draft, was, call) => {
    const act = draft.act ?? was?.act
    if (draft.act && !actAt(call.services.registry, act!)) throw invalidField(flowRule, 'act', 'not_a_choice')
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
  afterSave: (_row, _was, { db, services }) => rulesChanged(db, services),
  afterRemove: (_rows, { db, services }) => rulesChanged(db, services),
  afterRestore: (_row, { db, services }) => rulesChanged(db, services),
})

function requireCondition(text: string): void {
  try {
    checkExpression(text)
    if (!/^\s*[$#]\{[\s\S]*\}\s*$/.test(text)) throw new BadExpression('应写成 ${…}', 'it is written as ${…}')
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
    throw new Refused('flow_bad_condition', { text: error.why }, { field: 'condition' })
  }
}

/** What a condition may ask; of a row its fields alone: by a wrong name it would hold everything, or nothing. */
function requireNames(text: string, act: string, call: Call): void {
  const isOfAnyFamily = act.startsWith('/api/kit/')
  const family = isOfAnyFamily ? undefined : familyOfRoute(act, call)
  const wrong = namesIn(text).find(([root, key]) => {
    if (!NAMES.has(root!)) return true
    if (root !== 'before' && root !== 'after') return false
    return !!family && !!key && key !== 'id' && !Object.hasOwn(family.fields, key)
  })
  if (wrong) throw new Refused('flow_unknown_name', { name: wrong.join('.') }, { field: 'condition' })
}

const NAMES = new Set(['before', 'after', 'args', 'count', 'hour', 'roles', 'user'])

const SHOWN_MAX = 50

/** What a change would do, as who looks may read it: each row before and after, and what else was sent. */
export async function changeShown(call: Call, id: string) {
  const { db, services, lang } = call
  const row = await db.get(flowChange, id)
  if (!row) throw new Refused('not_found', { label: flowChange.label })
  const { call: kept, effects } = await keptOf(call, id)
  const act = actAt(services.registry, kept.path)
  const rows = []
  for (const effect of effects.rows.slice(0, SHOWN_MAX)) rows.push(await shownRow(call, effect))
  return {
    id,
    title: lang === 'en' ? row.titleEn : row.title,
    act: act ? say(act.title, lang) : kept.path,
    state: row.state,
    outcome: (lang === 'en' && row.outcomeEn) || row.outcome || '',
    expireTime: row.expireTime,
    count: effects.rows.length,
    rows,
    args: act?.takes || act?.input ? shownArgs(call, { ...act.takes, ...act.input }, argsOf(kept)) : undefined,
  }
}

/** One row of any family, its fields in words, masked and left out by what who looks may see. */
async function shownRow(call: Call, { resource: name, before, after }: Effect) {
  const served = familyOf(name, call)!
  const { resource } = served
  const fields = resource.fields as Record<string, Field>
  const sees = visibleFields(resource, call.caller)
  const keys = changedKeys(before, after).filter(
    (key) => fields[key] && !fields[key].secret && fields[key].form !== 'hidden' && (sees?.has(key) ?? true),
  )
  const open = keys.filter((key) => ![before, after].some((side) => side && isHidden(fields[key]!, key, side)))
  const whole = (before ?? after)!
  const [was, now] = await presentPast(served, call, [
    { ...whole, ...before },
    { ...whole, ...after },
  ])
  const wordKeys = open.flatMap((key) => [key, labelKeyOf(key, fields[key]!)])
  const side = (one: Record<string, unknown>) =>
    Object.fromEntries(wordKeys.filter((key) => key in one).map((key) => [key, one[key]]))
  return {
    family: say(resource.label, call.lang),
    title: String(whole[resource.title] ?? ''),
    what: !before ? 'add' : !after ? 'remove' : open.length || keys.length ? 'edit' : 'same',
    fields: Object.fromEntries(open.map((key) => [key, fields[key]])),
    hidden: keys.filter((key) => !open.includes(key)),
    was: before ? side(was!) : {},
    now: after ? side(now!) : {},
  }
}

/** What was sent with the act, of what it declares to take. */
function shownArgs(call: Call, takes: Record<string, Field>, args: Record<string, unknown>) {
  return Object.entries(takes)
    .filter(
      ([key, field]) => args[key] !== undefined && args[key] !== '' && !field.secret && !isHidden(field, key, args),
    )
    .filter(([key]) => !['id', 'ids', 'version', 'versions'].includes(key))
    .map(([key, field]) => ({ label: say(field.label, call.lang), text: textOfArg(args[key]) }))
}

const textOfArg = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 200)

export const changeRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/blade-flow/rule/acts',
    title: { zh: '可审批的操作', en: 'Acts a rule can be about' },
    can: flowRule.code,
    handle: async ({ services, lang }) =>
      actsOf(services.registry).map(({ path, title, of }) => ({ path, title: say(title, lang), of: say(of, lang) })),
  }),
]
