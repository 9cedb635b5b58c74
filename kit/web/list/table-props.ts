import type { ReactNode } from 'react'
import type { TableColumn } from './columns.tsx'
import type { UntypedRow } from '../form/form-values.ts'
import type { LocalizeFunction } from '../language.tsx'
import type { TableDensity } from './list-settings.ts'
import type { ListSort } from './list-state.ts'
import { words } from '../page-words.ts'
import type { RowAction } from './row-buttons.tsx'

export type TablePaging = {
  current: number
  size: number
  total: number
  totalCapped?: boolean
  onChange: (current: number, size: number) => void
}

export type DataTableProps<R extends UntypedRow = UntypedRow> = {
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  /** First load: a skeleton of the same shape. */
  isPending?: boolean
  isFetching?: boolean
  /** Shown instead of rows: why there are none, or what went wrong. */
  instead?: ReactNode
  sort?: ListSort
  onSort?: (sort: ListSort | undefined) => void
  paging?: TablePaging
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
  density?: TableDensity
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
export const totalsRowLabel = (paging: TablePaging | undefined, rows: readonly UntypedRow[], t: LocalizeFunction) =>
  t(paging && paging.total > rows.length ? words.pageSum : words.sum)

/** "共 57 条"; a plus says that there are more. */
export const totalCountText = ({ total, totalCapped }: TablePaging, t: LocalizeFunction) =>
  t(words.total, { total: `${total.toLocaleString('en-US')}${totalCapped ? '+' : ''}` })

const NAMED_BY = 2
const isNumber = (text: string) => /^\d{15,}$/.test(text)

/** What a row is called for those who cannot see it: words, and its 18-digit id only where it has none. */
export function accessibleRowName<R extends UntypedRow>(
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
