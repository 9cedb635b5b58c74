import type { ReactNode } from 'react'
import type { Column } from './columns.tsx'
import type { Row } from '../form/form-values.ts'
import type { Localize } from '../language.tsx'
import type { Density } from './list-settings.ts'
import type { Sort } from './list-state.ts'
import { words } from '../page-words.ts'
import type { RowAction } from './row-buttons.tsx'

export type Paging = {
  current: number
  size: number
  total: number
  totalCapped?: boolean
  onChange: (current: number, size: number) => void
}

export type DataTableProps<R extends Row = Row> = {
  columns: readonly Column<R>[]
  rows: readonly R[]
  /** First load: a skeleton of the same shape. */
  isPending?: boolean
  isFetching?: boolean
  /** Shown instead of rows: why there are none, or what went wrong. */
  instead?: ReactNode
  sort?: Sort
  onSort?: (sort: Sort | undefined) => void
  paging?: Paging
  /** What can be done with a row; without it there is no action column. */
  rowActions?: (row: R) => RowAction[]
  /** Width of the action column; every 80 px hold one button in sight. */
  actionsWidth?: number
  /** Id of the row shown elsewhere on the page. */
  current?: string
  chosen?: readonly R[]
  onChoose?: (rows: R[]) => void
  onOpen?: (row: R) => void
  arrived?: ReadonlySet<string>
  density?: Density
  onWidth?: (key: string, width: number) => void
  isTree?: boolean
  /** What a row is called, where its own words say that; else it is called by what its first columns hold. */
  titleOf?: (row: R) => string
  /** Below a row, when it is unfolded. */
  below?: (row: R) => ReactNode
  /** Totals under the columns, by column key. */
  totals?: Record<string, ReactNode>
  /** What the table is, for those who cannot see it. */
  label: string
}

/** Totals add up the rows that are shown, which may be one page of many. */
export const sumText = (paging: Paging | undefined, rows: readonly Row[], t: Localize) =>
  t(paging && paging.total > rows.length ? words.pageSum : words.sum)

/** "共 57 条"; a plus says that there are more. */
export const totalText = ({ total, totalCapped }: Paging, t: Localize) =>
  t(words.total, { total: `${total.toLocaleString('en-US')}${totalCapped ? '+' : ''}` })

const NAMED_BY = 2
const isNumber = (text: string) => /^\d{15,}$/.test(text)

/** What a row is called for those who cannot see it: words, and its 18-digit id only where it has none. */
export function nameOfRow<R extends Row>(
  { titleOf, columns }: Pick<DataTableProps<R>, 'titleOf' | 'columns'>,
  row: R,
): string {
  const title = titleOf?.(row) ?? ''
  if (title && !isNumber(title)) return title
  const said = columns
    .filter(({ hidden }) => !hidden)
    .map(({ text }) => text?.(row) ?? '')
    .filter((text) => text && !isNumber(text))
  return said.slice(0, NAMED_BY).join(' ') || title || String(row.id)
}
