import { wireYuanToCents, formatYuan } from '../../fields/money/cents.ts'
import type { ReactNode } from 'react'
import type { UntypedRow } from '../form/form-values.ts'
import { Money } from '../parts/money.tsx'

/** Sums of columns of money under a list, by column key; one row needs none. */
export const createMoneyTotals =
  (keys: readonly string[]) =>
  (rows: readonly UntypedRow[]): Record<string, ReactNode> | undefined =>
    rows.length > 1
      ? Object.fromEntries(
          keys.map((key) => [key, <Money key={key} value={formatYuan(sumCentsOfColumn(rows, key))} />]),
        )
      : undefined

/** In whole cents, as binary fractions do not add up. A column of whole numbers is added up in hundredths too. */
export const sumCentsOfColumn = (rows: readonly UntypedRow[], key: string): number =>
  rows.reduce((cents, row) => cents + wireYuanToCents(row[key]), 0)
