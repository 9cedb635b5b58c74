import { wireYuanToCents, formatYuan } from '../../fields/money/cents.ts'
import type { ReactNode } from 'react'
import type { UntypedRow } from './form-values.ts'
import { Money } from '../parts/money.tsx'

/**
 * Returns a function that sums columns of money for the totals row, by column key; undefined for fewer than two rows.
 */
export const createMoneyTotals =
  (keys: readonly string[]) =>
  (rows: readonly UntypedRow[]): Record<string, ReactNode> | undefined =>
    rows.length > 1
      ? Object.fromEntries(
          keys.map((key) => [key, <Money key={key} value={formatYuan(sumCentsOfColumn(rows, key))} />]),
        )
      : undefined

/**
 * Sums a column in whole cents, since binary fractions do not add up. Columns of whole numbers are summed in hundredths
 * too.
 */
export const sumCentsOfColumn = (rows: readonly UntypedRow[], key: string): number =>
  rows.reduce((cents, row) => cents + wireYuanToCents(row[key]), 0)
