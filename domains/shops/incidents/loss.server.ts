import { formatYuan } from '#kit/fields/money/cents.ts'
import { f, changedTopicOf } from '#kit/resource/index.ts'
import { readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { queryFilterSql } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { attributeLosses, type RefundAbuseRule, type Loss } from './loss-causes.ts'
import { loadLossEvidence } from './loss-evidence.ts'
import {
  REFUND_ABUSE_DAYS_PARAM,
  REFUND_ABUSE_PERCENT_PARAM,
  REFUND_ABUSE_COUNT_PARAM,
  LOSS_DAYS_PARAM,
} from './params.ts'
import { shopLoss } from './shop-loss.resource.ts'

const recomputeLossesQueue = defineQueue('guard.loss')
const DAY_MS = 86_400_000
const PART = 500

/**
 * Recomputes the losses of a tenant within the last days. Losses found again keep their row, others are deleted; older
 * ones stay. Returns their number.
 */
export async function recomputeLosses(db: Db, services: Services): Promise<number> {
  await db.advisoryLock('loss')
  const now = services.now()
  const days = await paramNumber(services, LOSS_DAYS_PARAM)
  const since = `${formatShanghaiTime(new Date(now.getTime() - days * DAY_MS)).slice(0, 10)} 00:00:00+08`
  const rule: RefundAbuseRule = {
    times: await paramNumber(services, REFUND_ABUSE_COUNT_PARAM),
    days: await paramNumber(services, REFUND_ABUSE_DAYS_PARAM),
    percent: await paramNumber(services, REFUND_ABUSE_PERCENT_PARAM),
  }
  const found = attributeLosses(await loadLossEvidence(db, since, formatShanghaiTime(now).slice(0, 10)), rule)
  for (let at = 0; at < found.length; at += PART) await upsertLosses(db, found.slice(at, at + PART))
  await db.run(sql`delete from shop_loss where tenant_id = ${db.tenantId} and day >= ${since.slice(0, 10)}::date
    and not mark = any(${found.map(({ mark }) => mark)})`)
  db.publish(changedTopicOf(shopLoss), {}, { permission: shopLoss.code })
  return found.length
}

/** Stores many losses in one statement; unchanged rows are not written. */
const upsertLosses = (db: Db, losses: readonly Loss[]) =>
  db.run(sql`insert into shop_loss as l (id, tenant_id, day, kind, shop_id, amount, basis, why, why_en, certainty,
      good_id, quantity, visit_id, order_id, refund_id, stocktake_id, batch_id, storage_log_id, wx_user_id, mark)
    select d.id, ${db.tenantId}, d.day, d.kind, d.shop_id, d.amount, d.basis, d.why, d.why_en, d.certainty, d.good_id,
      d.quantity, d.visit_id, d.order_id, d.refund_id, d.stocktake_id, d.batch_id, d.storage_log_id, d.wx_user_id,
      d.mark
    from jsonb_to_recordset(${JSON.stringify(losses.map(rowOf))}::jsonb) d(id bigint, day date, kind text,
      shop_id bigint,
      amount bigint, basis text, why text, why_en text, certainty text, good_id bigint, quantity integer,
      visit_id bigint, order_id bigint, refund_id bigint, stocktake_id bigint, batch_id bigint, storage_log_id bigint,
      wx_user_id bigint, mark text)
    on conflict (tenant_id, mark) do update set day = excluded.day, kind = excluded.kind, amount = excluded.amount,
      basis = excluded.basis,
      why = excluded.why, why_en = excluded.why_en, certainty = excluded.certainty, quantity = excluded.quantity,
      update_time = now(), version = l.version + 1
    where (l.day, l.kind, l.amount, l.basis, l.why, l.quantity) is distinct from
      (excluded.day, excluded.kind, excluded.amount, excluded.basis, excluded.why, excluded.quantity)`)

const TEXT_MAX = 300
const rowOf = ({ at, cents, why, ...loss }: Loss) => ({
  id: newId(),
  day: formatShanghaiTime(new Date(at)).slice(0, 10),
  kind: loss.kind,
  shop_id: loss.shopId,
  amount: cents,
  basis: loss.basis,
  why: why.zh.slice(0, TEXT_MAX),
  why_en: why.en.slice(0, TEXT_MAX),
  certainty: loss.certainty,
  good_id: loss.goodId,
  quantity: loss.quantity,
  visit_id: loss.visitId,
  order_id: loss.orderId,
  refund_id: loss.refundId,
  stocktake_id: loss.stocktakeId,
  batch_id: loss.batchId,
  storage_log_id: loss.storageLogId,
  wx_user_id: loss.wxUserId,
  mark: loss.mark,
})

export const shopLossServer = serve(shopLoss, {
  without: ['submit', 'remove'],
  present: (wire, rows, { lang }) => {
    if (lang === 'en') for (const [at, row] of rows.entries()) wire[at]!.why = row.whyEn || row.why
  },
  actions: {
    recompute: async (_none, _input, call) => {
      await call.db.enqueue(recomputeLossesQueue, {}, { key: 'asked' })
      return {}
    },
  },
})

export const recomputeLossesJob = defineModuleJob({
  queue: recomputeLossesQueue,
  concurrency: 1,
  run: async (_payload, { tenantId, services }) => {
    await services.unit({ tenantId }, (db) => recomputeLosses(db, services))
  },
})

/** Queues the nightly recomputation, one job for each tenant, so that a failure affects only one. */
export const enqueueLossRecomputesJob = defineModuleJob({
  queue: defineQueue('guard.lossNight'),
  cron: '20 4 * * *',
  concurrency: 1,
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'tenants whose losses are found anew' }, async (all) => {
      const tenants = await all.query<{ tenantId: string }>(
        sql`select distinct tenant_id from basic_shop_info where is_deleted = 0`,
      )
      for (const { tenantId } of tenants)
        await all.asTenant(tenantId, (db) => db.enqueue(recomputeLossesQueue, {}, { key: 'night' }))
    }),
})

type Sum = { kind: string; shopId: string; shopName: string; day: string; cents: number; count: number }

/** Sums the losses that match a list's filters by kind, shop and day; the total equals that of the list. */
async function figures(call: Call) {
  const { caller, query, services } = call
  const seen = visibleFields(shopLoss, caller)
  if (seen && !seen.has('amount')) throw new Refused('forbidden')
  const found: Sql = sql`${visibleRowsSql(shopLossServer, call)}${queryFilterSql(shopLoss, query, caller)}`
  const [rows] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select x.*, coalesce(s.shop_name, '') as shop_name from (select r.tenant_id, r.kind, r.shop_id,
        to_char(r.day, 'YYYY-MM-DD') as day, sum(r.amount)::float8 as cents, count(*)::int as count
      ${found} group by 1, 2, 3, 4) x left join basic_shop_info s on s.tenant_id = x.tenant_id and s.id = x.shop_id`,
  ])
  const sums = rows as unknown as Sum[]
  const added = (key: (one: Sum) => string) =>
    [...Map.groupBy(sums, key)].map(([at, group]) => ({
      key: at,
      name: group[0]!.shopName,
      cents: group.reduce((all, one) => all + one.cents, 0),
      count: group.reduce((all, one) => all + one.count, 0),
      kinds: Object.fromEntries(
        [...Map.groupBy(group, ({ kind }) => kind)].map(([kind, of]) => [
          kind,
          formatYuan(of.reduce((all, one) => all + one.cents, 0)),
        ]),
      ),
    }))
  const wire = ({ cents, ...one }: ReturnType<typeof added>[number]) => ({ ...one, amount: formatYuan(cents) })
  const most = (list: ReturnType<typeof added>) => list.toSorted((a, b) => b.cents - a.cents).map(wire)
  return {
    amount: formatYuan(sums.reduce((all, one) => all + one.cents, 0)),
    count: sums.reduce((all, one) => all + one.count, 0),
    kinds: most(added(({ kind }) => kind)),
    shops: most(added(({ shopId }) => shopId)),
    days: added(({ day }) => day)
      .toSorted((a, b) => a.key.localeCompare(b.key))
      .map(wire),
  }
}

export const lossRoutes = [
  defineRoute({
    method: 'GET',
    path: `${shopLoss.path}/figures`,
    title: { zh: '损失汇总', en: 'Shrinkage summary' },
    can: shopLoss.code,
    documentedInput: { shopId: f.ref('', { label: shopLoss.fields.shopId.label }) },
    tx: false,
    handle: figures,
  }),
]
