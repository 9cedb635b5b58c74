import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { aiUsage } from './ai-usage.resource.ts'

/** Month of a time in Shanghai, `YYYY-MM`. */
const monthOf = (now: Date) => formatShanghaiTime(now).slice(0, 7)

type BudgetUsage = { id: string; budget: number | null; cost: number }

/** Whether the budget is used up, so that no run may start. */
export const isAiBudgetSpent = ({ budget, cost }: BudgetUsage): boolean => budget !== null && cost >= budget

/**
 * Adds usage to the month and returns its budget and cost. Concurrent callers wait for the row, so that all are
 * counted.
 */
export async function addAiUsage(
  db: Db,
  now: Date,
  used: { tokens?: number; price?: number; runs?: number; ended?: number },
): Promise<BudgetUsage> {
  const { tokens = 0, price = 0, runs = 0, ended = 0 } = used
  const charge = tokens * price
  const month = monthOf(now)
  const row = await db.one<BudgetUsage>(sql`
    insert into ai_usage as u (id, tenant_id, month, budget, tokens, charge, cost, runs, ended)
    values (${newId()}, ${db.tenantId}, ${month},
      (select budget from ai_usage p where p.tenant_id = ${db.tenantId} and p.month < ${month}
       order by p.month desc limit 1), ${tokens}, ${charge}, ceil(${charge}::numeric / 1000000), ${runs}, ${ended})
    on conflict (tenant_id, month) do update set tokens = u.tokens + excluded.tokens,
      charge = u.charge + excluded.charge, cost = ceil((u.charge + excluded.charge)::numeric / 1000000),
      runs = u.runs + excluded.runs, ended = u.ended + excluded.ended, update_time = now()
    returning id, budget, cost`)
  publishRowsChanged({ db }, aiUsage, [{ id: row!.id }])
  return row!
}

/** Cost in yuan of tokens at a price in cents a million. */
export const computeAiCostYuan = (tokens: number, price: number | null): number =>
  Math.round((tokens * (price ?? 0)) / 10_000) / 10_000
