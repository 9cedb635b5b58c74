import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource, RowOf } from '#kit/resource/index.ts'
import { join, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { notDeletedSql, columnNameSql, storedFields, tableNameSql } from '#kit/server/database/row-sql.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { changeCustomerAccount, lockCustomer, resolveMergedCustomerId } from './accounts.ts'
import { wxUser } from './wx-user.resource.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'
import { shiftLaterTerms, raiseLevelBySpending, refreshLevel, SPENDING_LEVEL_MONTHS } from './membership-terms.ts'
import { vipInfo } from './vip-info.resource.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

export const customerMergeQueue = defineQueue<{ mergeId: string }>('customer.merge')

type MergeAsk = {
  sourceId: string
  targetId: string
  reason: string
  isSamePerson: boolean
  /** 'yyyy-MM-dd HH:mm:ss', Shanghai time. */
  at: string
}

type Customer = RowOf<typeof wxUser>
type Merge = RowOf<typeof wxUserMerge>

/**
 * Merges two accounts of one person. At once: money, points, membership and totals move, and the source is closed and
 * points to the target; a sale to the source meanwhile waits, then books on the target. Rows that only name the
 * customer are moved by `repointMergedCustomerJob`, because their writers lock them while they wait for the customer.
 * Called again, returns the same merge.
 */
export async function mergeCustomers(db: Db, ask: MergeAsk): Promise<Merge> {
  if (ask.sourceId === ask.targetId) throw new Refused('merge_same')
  // One merge at a time, so that chains of closed accounts are locked in one direction.
  await db.advisoryLock('customer.merge')
  const [known] = await db.find(wxUserMerge, sql`r.source_id = ${ask.sourceId}`)
  if (known?.targetId === ask.targetId) return known
  const both = await db.query<{ id: string }>(
    sql`select id from wx_user where id in (${ask.sourceId}, ${ask.targetId}) and tenant_id = ${db.tenantId}
      order by id for no key update`,
  )
  if (both.length < 2) throw new Refused('not_found', { label: wxUser.label })
  const source = (await db.get(wxUser, ask.sourceId))!
  const target = (await db.get(wxUser, ask.targetId))!
  for (const one of [source, target]) if (one.mergedInto) throw new Refused('merge_elsewhere', { name: one.nickname })
  if (!ask.isSamePerson) refuseClash(source, target)
  await moveAccounts(db, source, target)
  await moveTerms(db, source, target, ask.at)
  await moveFigures(db, source, target, ask.at)
  await refreshLevel(db, target.id, ask.at)
  const merge = await db.insert(wxUserMerge, {
    sourceId: source.id,
    targetId: target.id,
    balance: source.balance ?? 0,
    integral: source.integral ?? 0,
    state: 'moving',
    movedCount: 0,
    reason: ask.reason,
  })
  publishRowsChanged({ db }, wxUser, [source, target])
  publishRowsChanged({ db }, wxUserMerge, [merge])
  return merge
}

/** Refuses to merge accounts with two phones or two WeChat identities unless the caller confirms it is one person. */
function refuseClash(source: Customer, target: Customer): void {
  const differs = (key: 'phone' | 'unionid') => !!source[key] && !!target[key] && source[key] !== target[key]
  const what = (['phone', 'unionid'] as const).filter(differs).map((key) => wxUser.fields[key].label)
  if (what.length)
    throw new Refused(
      'merge_clash',
      {
        what: { zh: what.map((label) => label.zh).join('、'), en: what.map((label) => label.en).join(', ') },
      },
      { field: 'isSamePerson' },
    )
}

async function moveAccounts(db: Db, source: Customer, target: Customer): Promise<void> {
  for (const account of ['balance', 'integral'] as const) {
    const held = source[account] ?? 0
    if (!held) continue
    const book = { type: 'merge', refType: 'merge' } as const
    await changeCustomerAccount(db, account, { ...book, wxUserId: source.id, change: -held, refId: target.id })
    await changeCustomerAccount(db, account, { ...book, wxUserId: target.id, change: held, refId: source.id })
  }
}

type Term = RowOf<typeof vipInfo>

/**
 * Returns as interval what is left of the paid or given time of a term; of a term reached by spending only the time
 * after its twelve months.
 */
const givenOf = async (db: Db, { id }: Term, at: string): Promise<string> =>
  (await db.one<{ given: string }>(sql`select (end_time - greatest(start_time, ${at}::timestamptz,
      case when source = 'spending' then least(end_time, start_time + make_interval(months =>
        ${SPENDING_LEVEL_MONTHS}::int))
      end))::text as given
    from vip_info where tenant_id = ${db.tenantId} and id = ${id}`))!.given

const hasBegun = (term: Term, at: string): boolean => term.startTime! <= at

/**
 * Chooses which of two terms of one level is kept: one reached by spending, so that a refund can still end it;
 * otherwise the one that is running.
 */
function stays(same: Term, term: Term, at: string): Term {
  if (same.source === 'spending' && term.source === 'spending') return term.startTime! > same.startTime! ? term : same
  if (same.source === 'spending' || term.source === 'spending') return term.source === 'spending' ? term : same
  return hasBegun(term, at) && !hasBegun(same, at) ? term : same
}

/**
 * Moves the source's terms to the target. If both hold a level, the paid or given time of one term is added to the
 * other. Time reached by spending is not added up: one person spent it.
 */
async function moveTerms(db: Db, source: Customer, target: Customer, at: string): Promise<void> {
  const valid = (wxUserId: string) =>
    db.find(
      vipInfo,
      sql`r.wx_user_id = ${wxUserId} and r.status = ${MEMBERSHIP_TERM_STATE.valid} and r.end_time > ${at}::timestamptz`,
      sql`order by r.end_time desc, r.id`,
    )
  const kept = await valid(target.id)
  const joined = new Set<Term>()
  for (const term of await valid(source.id)) {
    const running = kept.findIndex((one) => one.level === term.level && hasBegun(one, at))
    const index = running >= 0 ? running : kept.findIndex((one) => one.level === term.level)
    if (index >= 0) joined.add((kept[index] = await joinTerms(db, kept[index]!, term, at)))
  }
  await db.run(
    sql`update vip_info set wx_user_id = ${target.id}, update_time = now(), version = version + 1
      where tenant_id = ${db.tenantId} and wx_user_id = ${source.id}`,
  )
  for (const term of kept)
    if (joined.has(term))
      await shiftLaterTerms(
        db,
        { wxUserId: target.id, level: term.level, at: later(term.startTime!, at) },
        term.endTime,
      )
}

const later = (one: string, other: string): string => (one > other ? one : other)

/**
 * Joins two terms of one level and moves the fees behind the dropped term to the one kept, shifted to where their time
 * now is.
 */
async function joinTerms(db: Db, same: Term, term: Term, at: string): Promise<Term> {
  const kept = stays(same, term, at)
  const gone = kept === same ? term : same
  const given = await givenOf(db, gone, at)
  const { endTime } = (await db.one<{ endTime: string }>(
    sql`select ${kept.endTime}::timestamptz + ${given}::interval as end_time`,
  ))!
  await db.run(sql`update annual_fee_log set vip_info_id = ${kept.id},
      start_time = start_time + (${endTime}::timestamptz - ${gone.endTime}::timestamptz),
      end_time = end_time + (${endTime}::timestamptz - ${gone.endTime}::timestamptz), update_time = now()
    where tenant_id = ${db.tenantId} and vip_info_id = ${gone.id} and end_time > ${at}::timestamptz`)
  await transition(db, vipInfo, gone.id, 'merge')
  return db.update(vipInfo, kept.id, { endTime })
}

async function moveFigures(db: Db, source: Customer, target: Customer, at: string): Promise<void> {
  await db.run(sql`
    insert into wx_user_shop as c (tenant_id, shop_id, wx_user_id, order_count, last_time)
    select tenant_id, shop_id, ${target.id}, order_count, last_time from wx_user_shop where tenant_id = ${db.tenantId}
    and wx_user_id = ${source.id}
    on conflict (tenant_id, shop_id, wx_user_id) do update set order_count = c.order_count + excluded.order_count,
    last_time = greatest(c.last_time, excluded.last_time)`)
  await db.run(
    sql`update wx_user_shop set order_count = 0 where tenant_id = ${db.tenantId} and wx_user_id = ${source.id}`,
  )
  await db.update(wxUser, target.id, {
    totalSpent: (target.totalSpent ?? 0) + (source.totalSpent ?? 0),
    orderCount: (target.orderCount ?? 0) + (source.orderCount ?? 0),
    lastVisitTime:
      [source.lastVisitTime, target.lastVisitTime]
        .filter((time) => time !== null)
        .sort()
        .at(-1) ?? null,
    phone: target.phone || source.phone,
    unionid: target.unionid || source.unionid,
    avatar: target.avatar || source.avatar,
    gender: target.gender || source.gender,
  })
  await db.update(wxUser, source.id, {
    totalSpent: 0,
    orderCount: 0,
    vipLevel: 0,
    vipEndTime: null,
    mergedInto: target.id,
    mergeTime: at,
  })
}

/**
 * Returns every changeable field of every resource that refers to a customer. Append-only ledgers keep the old account.
 */
function namesCustomer(services: Services): { resource: Resource<any, any>; key: string; field: Field }[] {
  return [...services.registry.served.values()]
    .map((one) => one.resource)
    .filter(
      (resource) => !resource.appendOnly && resource !== (wxUser as unknown) && resource !== (wxUserMerge as unknown),
    )
    .flatMap((resource) =>
      storedFields(resource)
        .filter(([, field]) => field.to === wxUser.name)
        .map(([key, field]) => ({ resource, key, field })),
    )
}

/**
 * Points the rows of one resource at the target. A row whose unique key the target already has stays with the closed
 * account.
 */
function moveRows(
  db: Db,
  { resource, key, field }: { resource: Resource<any, any>; key: string; field: Field },
  from: string,
  into: string,
): Promise<number> {
  const col = columnNameSql(key)
  const isMany = fieldKindOf(field).many
  const twins: Sql[] = resource.unique
    .filter((set) => set.includes(key))
    .map((set) => {
      const others = set
        .filter((one) => one !== key)
        .map((one) => sql` and x.${columnNameSql(one)} = r.${columnNameSql(one)}`)
      return sql` and not exists (select 1 from ${tableNameSql(resource)} x where x.tenant_id = r.tenant_id
        and x.${col} = ${into}${others.length ? join(others, '') : sql``}${
          resource.remove === 'soft'
            ? sql`
          and x.is_deleted = 0`
            : sql``
        })`
    })
  const found = isMany ? sql`${from}::bigint = any(r.${col})` : sql`r.${col} = ${from}`
  return db.run(sql`
    update ${tableNameSql(resource)} m set ${col} = ${
      isMany
        ? sql`array_replace(m.${col}, ${from}::bigint,
      ${into}::bigint)`
        : sql`${into}`
    }, update_time = now(), version = m.version + 1
    where (m.tenant_id, m.id) in (select r.tenant_id, r.id from ${tableNameSql(resource)} r
    where r.tenant_id = ${db.tenantId} and ${found}${notDeletedSql(resource)}${twins.length ? join(twins, '') : sql``}
    order by r.id for update)`)
}

/** Points all rows that name a closed account at the open one, one transaction per resource. May run repeatedly. */
export const repointMergedCustomerJob = defineModuleJob({
  queue: customerMergeQueue,
  timeoutSeconds: 300,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ mergeId }, { tenantId, services }) => {
    const known = await services.unit({ tenantId }, async (db) => {
      const merge = await db.get(wxUserMerge, mergeId)
      return merge && { merge, into: (await resolveMergedCustomerId(db, merge.targetId!))! }
    })
    if (!known) return
    const moved: Record<string, number> = {}
    for (const place of namesCustomer(services)) {
      const count = await services.unit({ tenantId }, async (db) => {
        const rows = await moveRows(db, place, known.merge.sourceId!, known.into)
        if (rows) db.publish(changedTopicOf(place.resource), {}, { permission: place.resource.code })
        return rows
      })
      if (count) moved[place.resource.name] = (moved[place.resource.name] ?? 0) + count
    }
    // The accounts together may have spent enough for a level; later runs for late rows raise nobody.
    if (known.merge.state === 'moving')
      await services.unit({ tenantId }, async (db) =>
        raiseLevelBySpending(db, (await lockCustomer(db, known.into)).id, formatShanghaiTime(services.now())),
      )
    await services.unit({ tenantId }, async (db) => {
      const merge = (await db.get(wxUserMerge, mergeId, 'forUpdate'))!
      const before = (merge.moved ?? {}) as Record<string, number>
      const all = Object.fromEntries(
        [...new Set([...Object.keys(before), ...Object.keys(moved)])].map((name) => [
          name,
          (before[name] ?? 0) + (moved[name] ?? 0),
        ]),
      )
      if (merge.state === 'done' && !Object.keys(moved).length) return
      await transition(db, wxUserMerge, mergeId, 'finish', {
        moved: all,
        movedCount: Object.values(all).reduce((sum, count) => sum + count, 0),
        finishTime: formatShanghaiTime(services.now()),
      })
    })
  },
})
