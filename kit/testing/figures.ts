import { type Db, type Sql } from '#kit/server/database/db.ts'
import { stockConsistencySql } from '#domains/catalogue/inventory/api.ts'
import { marketingConsistencySql } from '#domains/sales/marketing/api.ts'
import { memberConsistencySql } from '#domains/sales/customers/api.ts'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { firstDifferencesSql, orderConsistencySql, type LedgerDifference } from '#domains/sales/orders/api.ts'
import { findRollupDifferences } from '#domains/insight/statistics/api.ts'
import { supplierConsistencySql } from '#domains/catalogue/purchasing/api.ts'

/**
 * Every promise about money and pieces by its name: a statement that finds the rows it does not hold for (`id`,
 * `expected`, `found`).
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
 * Recomputes every figure from the rows it must follow from: of the handle's tenant, or of all with a handle across
 * tenants. Answers what differs, by the name of the promise; empty when all hold. `only` asks for some of the promises.
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
