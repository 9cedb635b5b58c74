import { type Db, type Sql } from '#kit/server/database/db.ts'
import { stockConsistencySql } from '#domains/catalogue/inventory/api.ts'
import { marketingConsistencySql } from '#domains/sales/marketing/api.ts'
import { memberConsistencySql } from '#domains/sales/customers/api.ts'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { firstDifferencesSql, orderConsistencySql, type LedgerDifference } from '#domains/sales/orders/api.ts'
import { findRollupDifferences } from '#domains/insight/statistics/api.ts'
import { supplierConsistencySql } from '#domains/catalogue/purchasing/api.ts'

/**
 * Consistency checks of money and stock by name: each statement returns the rows that differ (`id`, `expected`,
 * `found`).
 */
const figureChecks: Record<string, Sql> = {
  ...stockConsistencySql,
  ...orderConsistencySql,
  ...marketingConsistencySql,
  ...memberConsistencySql,
  ...merchantConsistencySql,
  ...supplierConsistencySql,
}

const EACH_MAX = 20

/**
 * Recomputes every sum from its rows: for the handle's tenant, or for all with a cross-tenant handle. Returns the
 * differences with the check's name. `only` selects checks.
 */
export async function figuresOf(db: Db, only?: readonly string[]): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (const [check, statement] of Object.entries(figureChecks)) {
    if (only && !only.includes(check)) continue
    const rows = await db.query<Omit<LedgerDifference, 'check'>>(firstDifferencesSql(statement, EACH_MAX))
    found.push(...rows.map((row) => ({ check, ...row })))
  }
  if (!only)
    for (const { rollup, ...row } of await findRollupDifferences(db, EACH_MAX))
      found.push({
        check: `statistics follow their rows: ${String(rollup)}`,
        id: '',
        expected: 'equal',
        found: JSON.stringify(row),
      })
  return found
}
