import { centsOf, yuan } from '../../fields/money/cents.ts'
import type { ReactNode } from 'react'
import type { Row } from '../form/form-values.ts'
import { Money } from '../parts/money.tsx'

/** Sums of columns of money under a list, by column key; one row needs none. */
export const moneyTotals =
  (keys: readonly string[]) =>
  (rows: readonly Row[]): Record<string, ReactNode> | undefined =>
    rows.length > 1
      ? Object.fromEntries(keys.map((key) => [key, <Money key={key} value={yuan(sumOf(rows, key))} />]))
      : undefined

/** In whole cents, as binary fractions do not add up. A column of whole numbers is added up in hundredths too. */
export const sumOf = (rows: readonly Row[], key: string): number =>
  rows.reduce((cents, row) => cents + centsOf(row[key]), 0)
