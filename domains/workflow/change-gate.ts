import { createHash } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Held, type Gate } from '#kit/server/request/gate.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call, Route } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { say } from '#kit/resource/words.ts'
import { isAct } from './acts-offered.ts'
import { argsOf, familyOfRoute, idsOfArgs, namedNow, plainOf, tryAct, type Effects } from './effects.ts'
import { evaluate, type Names, type Value } from './expression.ts'
import { CHANGE, flowChange } from './flow-change.resource.ts'
import { groundOf } from './flow-process.server.ts'
import { changeQueue } from './change-words.ts'
import { deciderProcess } from './decider-process.ts'
import { rulesFor, type Rule } from './rules.ts'
import { sealCall } from './run-change.ts'
import { startFlow } from './run-flow.ts'

/** Holds what a rule of the caller's tenant is about. The platform's own administrators have no such rules. */
export const createGate = (services: Services): Gate => ({
  guards: async (route, { caller, file }) =>
    !caller.isPlatform &&
    caller.userId !== '' &&
    !file &&
    isAct(route) &&
    (await rulesFor(services, caller.tenantId, route.path)).length > 0,
  hold: holdAct,
})

async function holdAct(route: Route, call: Call): Promise<Held | undefined> {
  const rules = await rulesFor(call.services, call.caller.tenantId, route.path)
  const effects = route.tx === false ? await namedNow(route, call) : await tryAct(route, call)
  const names = namesOf(route, call, effects)
  const rule = rules.find((one) => applies(one, names))
  return rule && keep(route, call, rule, effects)
}

/** What a condition may ask. `before` and `after` are of the row the act is about. */
function namesOf(route: Route, call: Call, { rows }: Effects): Names {
  const args = argsOf(call)
  const family = familyOfRoute(route.path, call)
  const ids = idsOfArgs(args)
  const main =
    rows.find((one) => one.resource === family?.name && (!ids.length || ids.includes(one.rowId))) ??
    rows.find((one) => one.resource === family?.name)
  const count = Math.max(ids.length, Number(args.expectedCount) || 0, rows.length)
  return {
    before: main && family ? plainOf(family, main.before) : null,
    after: main && family ? plainOf(family, main.after) : null,
    args: JSON.parse(JSON.stringify(args)) as Value,
    count,
    hour: Number(shanghaiText(call.services.now()).slice(11, 13)),
    roles: [...call.caller.roleAliases],
    user: call.caller.userId,
  }
}

/** Where a condition cannot be decided (a value it needs is not there), the act is held: that harms less. */
function applies({ condition }: Rule, names: Names): boolean {
  if (!condition?.trim()) return true
  try {
    return evaluate(condition, names) !== false
  } catch {
    return true
  }
}

async function keep(route: Route, call: Call, rule: Rule, effects: Effects): Promise<Held> {
  const { db, caller, services } = call
  const kept = { path: route.path, query: call.query, body: call.body, lang: call.lang }
  const digest = createHash('sha256').update(JSON.stringify(kept)).digest('base64url')
  await db.lockName(`change/${caller.userId}/${digest}`)
  const again = await db.find(
    flowChange,
    sql`r.user_id = ${caller.userId} and r.state = ${CHANGE.waiting} and r.digest = ${digest}`,
  )
  if (again[0]) return new Held(again[0].id, rule.name)
  const expires = new Date(services.now().getTime() + rule.hours * HOUR_MS)
  const title = titleOf(route, call, effects)
  const row = await db.insert(flowChange, {
    title: title.zh,
    titleEn: title.en,
    path: route.path,
    state: CHANGE.waiting,
    userId: caller.userId,
    ruleId: rule.id,
    expireTime: shanghaiText(expires),
    digest,
  })
  const asker = { ...caller, permissions: [], apiScopeIds: [] }
  await db.run(sql`insert into flow_change_call (id, tenant_id, call, asker, effects)
    values (${row.id}, ${db.tenantId}, ${JSON.stringify(sealCall(services, kept))}, ${JSON.stringify(asker)},
      ${JSON.stringify(effects)})`)
  const instanceId = await startFlow(groundOf(call), await processOf(db, rule), {
    who: { id: caller.userId, groups: caller.roleAliases },
    name: title.zh.slice(0, 200),
    variables: { ...(await deciders(db, rule, caller.userId)), createUser: caller.name, count: effects.rows.length },
    business: { table: flowChange.table, id: row.id },
  })
  await db.update(flowChange, row.id, { instanceId })
  await db.later(changeQueue, { id: row.id, isExpiry: true }, { key: `${row.id}/expiry`, runAt: expires })
  return new Held(row.id, rule.name)
}

const HOUR_MS = 3_600_000

/** What an act is, and to what: "商品 保存：可乐" and how many more. */
function titleOf(route: Route, call: Call, { rows }: Effects): { zh: string; en: string } {
  const family = familyOfRoute(route.path, call)
  const one = rows.find((row) => row.resource === family?.name)
  const name = family && one ? String((one.before ?? one.after)?.[family.title] ?? '') : ''
  const count = Math.max(rows.length, idsOfArgs(argsOf(call)).length, Number(argsOf(call).expectedCount) || 0)
  const of = (lang: 'zh' | 'en') =>
    [say(route.title, lang), name, count > 1 ? (lang === 'zh' ? `共 ${count} 条` : `${count} rows`) : '']
      .filter(Boolean)
      .join(' · ')
      .slice(0, 300)
  return { zh: of('zh'), en: of('en') }
}

const processOf = async (db: Db, rule: Rule): Promise<string> => rule.processId ?? (await deciderProcess(db, rule.mode))

/** Who may decide: never who asks. */
async function deciders(db: Db, rule: Rule, asker: string): Promise<{ approvers: string[]; roles: string[] }> {
  const rows = await db.query<{ id: string }>(sql`select u.id::text as id from sys_user u
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0 and coalesce(u.status, 1) = 1 and u.id <> ${asker}
      and (u.id::text = any(${rule.userIds}) or u.role_id && ${rule.roleIds}::bigint[])
    order by array_position(${rule.userIds}, u.id::text) nulls last, u.id limit ${DECIDERS_MAX}`)
  if (!rows.length && !rule.processId) throw new Refused('flow_no_decider', { name: rule.name })
  return { approvers: rows.map((row) => row.id), roles: [] }
}

const DECIDERS_MAX = 100
