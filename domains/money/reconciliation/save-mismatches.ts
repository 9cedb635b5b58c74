import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { transitionAll } from '#kit/server/resource/transition.ts'
import { STATEMENT_DIFFERENCE_STATE, OPEN_DIFFERENCE_STATES } from './dictionaries.ts'
import { DIFFERENCE_KINDS_WITHOUT_ACTION } from './kinds.ts'
import type { Mismatch } from './match-wechat.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

type Day = RowOf<typeof reconciliationDay>

/** Totals of a day in cents: our books, the statement, the money moved. */
export type DayTotals = Pick<Day, 'ours' | 'stated' | 'moved'> &
  Partial<Pick<Day, 'withdrawn' | 'balanceTo' | 'lineCount'>>

const AT_ONCE = 2_000

/**
 * Stores the differences of a compared, locked day. Known ones keep their row: settled ones that are found again are
 * reopened; accepted, requested, waiting and declined ones keep their state while kind and worth are the same; missing
 * ones become settled. Repeating it changes nothing.
 */
export async function saveMismatches(
  db: Db,
  day: Day,
  found: readonly Mismatch[],
  totals: DayTotals,
  now: Date,
): Promise<Day> {
  const runNo = (day.runNo ?? 0) + 1
  const at = formatShanghaiTime(now)
  for (let from = 0; from < found.length; from += AT_ONCE)
    await upsertMismatches(db, day, found.slice(from, from + AT_ONCE), runNo)
  const isGone = sql`r.day_id = ${day.id} and r.run_no <> ${runNo}`
  await transitionAll(db, reconciliationDifference, isGone, 'vanish', { doneTime: at })
  const sums = (await db.one<{ differences: number; worth: number }>(
    sql`select count(*) filter (where state = any(${[...OPEN_DIFFERENCE_STATES]}))::int as differences,
      coalesce(sum(worth), 0)::bigint as worth from tally_difference
      where tenant_id = ${db.tenantId} and day_id = ${day.id} and state <> ${STATEMENT_DIFFERENCE_STATE.settled}`,
  ))!
  const row = await db.update(reconciliationDay, day.id, {
    ...totals,
    ...sums,
    remainder: totals.moved! - totals.ours! - sums.worth,
    readTime: at,
    problem: null,
    runNo,
  })
  publishRowsChanged({ db }, reconciliationDay, [row])
  db.publish(changedTopicOf(reconciliationDifference), {}, { permission: reconciliationDifference.name })
  return row
}

async function upsertMismatches(
  db: Db,
  { id, day, side, merchantId, shopId }: Day,
  found: readonly Mismatch[],
  runNo: number,
) {
  const column = <K extends keyof Mismatch>(key: K) => found.map((one) => one[key])
  const isKept = sql`d.state in (${STATEMENT_DIFFERENCE_STATE.asked}, ${STATEMENT_DIFFERENCE_STATE.accepted},
    ${STATEMENT_DIFFERENCE_STATE.waits}, ${STATEMENT_DIFFERENCE_STATE.declined})
    and d.worth = excluded.worth and d.kind = excluded.kind`
  await db.run(sql`insert into tally_difference as d (id, tenant_id, day_id, day, side, merchant_id, shop_id, kind,
      state, title, order_id, order_no, refund_no, transaction_no, ours, theirs, worth, mark, run_no, create_user)
    select n.id, ${db.tenantId}, ${id}, ${day}::date, ${side}, ${merchantId}::bigint, coalesce(n.shop_id,
      ${shopId}::bigint), n.kind, case when n.kind = any(${[...DIFFERENCE_KINDS_WITHOUT_ACTION]}::text[]) then
        ${STATEMENT_DIFFERENCE_STATE.explained}
        else ${STATEMENT_DIFFERENCE_STATE.open} end,
      coalesce(n.order_no, n.refund_no, n.transaction_no), n.order_id, n.order_no, n.refund_no, n.transaction_no,
      n.ours, n.theirs, n.theirs - n.ours, n.mark, ${runNo}, 0
    from unnest(${found.map(() => newId())}::bigint[], ${column('shopId')}::bigint[], ${column('kind')}::text[],
      ${column('orderId')}::bigint[], ${column('orderNo')}::text[], ${column('refundNo')}::text[],
      ${column('transactionNo')}::text[], ${column('ours')}::bigint[], ${column('theirs')}::bigint[],
      ${column('mark')}::text[]) n(id, shop_id, kind, order_id, order_no, refund_no, transaction_no, ours, theirs, mark)
    on conflict (tenant_id, day_id, mark) do update set run_no = excluded.run_no, kind = excluded.kind,
      ours = excluded.ours, theirs = excluded.theirs, worth = excluded.worth,
      order_id = coalesce(excluded.order_id, d.order_id), shop_id = coalesce(excluded.shop_id, d.shop_id),
      state = case when ${isKept} then d.state else excluded.state end,
      update_time = case when ${isKept} then d.update_time else now() end,
      version = case when d.state = excluded.state or (${isKept}) then d.version else d.version + 1 end`)
}
