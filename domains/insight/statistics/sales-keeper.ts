import type { RollupSource } from '#kit/server/reports/rollup-source.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { rollupRowsSql } from './figures.ts'
import { startOfDayMs, wholeDayPeriod } from './period.ts'
import { salesRollup } from './rollups.ts'

/** Sales by shop and day, for reports on orders by payment day. */
export const salesRollupSource: RollupSource = {
  family: shoppingOrder.name,
  time: 'payTime',
  keys: { shopId: 'shop_id' },
  rows: 'sum(r.orders)',
  sums: {
    sales: 'coalesce(sum(r.sales), 0)',
    orders: 'coalesce(sum(r.orders), 0)',
    average: 'round(sum(r.sales)::numeric / nullif(sum(r.orders), 0), 2)',
    items: 'coalesce(sum(r.items), 0)',
    cost: 'coalesce(sum(r.cost), 0)',
    profit: 'coalesce(sum(r.sales - r.cost), 0)',
    discount: 'coalesce(sum(r.discount), 0)',
  },
  from: (call, { from, to }, { shopId }) =>
    rollupRowsSql(call, salesRollup, {
      period: { from: startOfDayMs(from), to: wholeDayPeriod(to).to },
      shopIds: shopId,
    }),
}
