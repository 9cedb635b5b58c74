import type { CSSProperties, RefObject } from 'react'
import type { UntypedRow } from '../row/form-values.ts'
import { useLanguage, useLocalize, type Lang, type LocalizeFunction } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useScreenSize } from '../base/screen.ts'
import type { TableColumn } from './columns.tsx'
import { fitColumnWidths } from './fit-columns.ts'
import { rowActionsWidth } from './row-buttons.tsx'
import { accessibleRowName, type DataTableProps } from './table-props.ts'
import { useElementWidth } from './use-width.ts'

/** Width of a column with checkboxes or unfold buttons (px). */
export const CHECKBOX_COLUMN_WIDTH = 44
export const SKELETON_ROWS: readonly UntypedRow[] = Array.from({ length: 8 }, (_, index) => ({
  id: `skeleton-${index}`,
}))
export const CELL_SKELETON = <span className="kit-skeleton" />

const PHONE_ACTIONS = 78
const LEAST_ACTIONS = 88

export type TableLayout<R extends UntypedRow> = {
  shown: TableColumn<R>[]
  /** Columns shown below the first one in a tree on a phone, which has no room for more columns. */
  facts: TableColumn<R>[]
  /** Width of the columns for unfold buttons and checkboxes before the others (px). */
  before: number
  actionsWidth: number
  isPhone: boolean
  /** Total width of all columns (px). */
  width: number
}

/** Props of a table drawn inside the frame, which has measured all widths. */
export type FramedTableProps<R extends UntypedRow> = { table: DataTableProps<R>; layout: TableLayout<R> }

/**
 * Computes all widths of a table, shared by the plain and antd's table, so that nothing jumps when one replaces the
 * other.
 */
export function useTableLayout<R extends UntypedRow>(
  props: DataTableProps<R>,
  box: RefObject<HTMLElement | null>,
): TableLayout<R> {
  const { onChoose, below, rowActions } = props
  const t = useLocalize()
  const language = useLanguage()
  const isPhone = useScreenSize() === 0
  const actionsWidth = isPhone ? PHONE_ACTIONS : (props.actionsWidth ?? actionWidth(props, t, language))
  const before = (onChoose ? CHECKBOX_COLUMN_WIDTH : 0) + (below ? CHECKBOX_COLUMN_WIDTH : 0)
  const extra = before + (rowActions ? actionsWidth : 0)
  const inRow = isPhone && !!props.isTree
  const shown = useFitting(props, useElementWidth(box), extra, inRow)
  const facts = inRow ? factsOf(props) : []
  const width = shown.reduce((sum, column) => sum + column.width, 0) + extra
  return { shown, facts, before, actionsWidth, isPhone, width }
}

/** Returns the attributes of the element around a table. */
export const tableFrameProps = <R extends UntypedRow>(
  props: DataTableProps<R>,
  { shown, actionsWidth }: TableLayout<R>,
) => ({
  className: [`kit-table kit-density-${props.density ?? 'medium'}`, props.isFetching && !props.isPending && 'kit-busy']
    .filter(Boolean)
    .join(' '),
  'aria-busy': props.isFetching,
  role: 'region',
  'aria-label': props.label,
  style: {
    '--kit-fixed-start': `${(shown[0]?.width ?? 0) + (props.onChoose ? CHECKBOX_COLUMN_WIDTH : 0)}px`,
    '--kit-fixed-end': `${props.rowActions ? actionsWidth : 0}px`,
  } as CSSProperties,
})

/**
 * Columns shown below the first one in a tree on a phone; enough to tell rows of equal name apart, such as by tenant
 * and alias.
 */
const FACTS = 2

const factsOf = <R extends UntypedRow>({ columns }: DataTableProps<R>) =>
  columns
    .filter(({ hidden }) => !hidden)
    .slice(1)
    .filter(({ isInput }) => !isInput)
    .slice(0, FACTS)

/** Returns the visible columns, fitted to the width of the table. */
function useFitting<R extends UntypedRow>(props: DataTableProps<R>, width = Infinity, extra = 0, inRow = false) {
  const { columns, rows, isTree } = props
  const facts = inRow ? factsOf(props) : []
  const seen = columns.filter((column) => !column.hidden && !facts.includes(column))
  // A tree also has rows below the top ones, so widths are not fitted to the rows given here.
  return fitColumnWidths(isTree ? seen.map((column) => ({ ...column, need: undefined })) : seen, rows, width - extra)
}

function actionWidth<R extends UntypedRow>(
  { rows, rowActions, isPending }: DataTableProps<R>,
  t: LocalizeFunction,
  lang: Lang,
) {
  if (!rowActions || isPending || !rows.length) return lang === 'zh' ? 176 : 216
  return Math.max(LEAST_ACTIONS, ...rows.map((row) => rowActionsWidth(rowActions(row), t)))
}

/** Returns the class name and click handler of a table row. */
export function tableRowProps<R extends UntypedRow>(
  { onOpen, arrived, current, isPending }: DataTableProps<R>,
  row: R,
) {
  const id = String(row.id)
  const className = [onOpen && 'kit-row-opens', arrived?.has(id) && 'kit-row-new', current === id && 'kit-row-current']
  return {
    className: className.filter(Boolean).join(' '),
    // Selecting text in a row does not count as a click.
    onClick: onOpen && (() => !getSelection()?.toString() && !isPending && onOpen(row)),
  }
}

/** Returns the key of the column that takes the rest of a wide screen: the widest text column. */
export function widestTextColumnKey<R extends UntypedRow>(columns: readonly TableColumn<R>[]) {
  const text = columns.filter((column) => !column.align)
  return text.reduce<TableColumn<R> | undefined>(
    (best, column) => (!best || column.width >= best.width ? column : best),
    undefined,
  )?.key
}

/** Returns how many actions of a row are visible buttons. */
export const visibleRowActionCount = <R extends UntypedRow>(
  { actionsWidth }: DataTableProps<R>,
  isPhone: boolean,
): number => (isPhone ? 0 : actionsWidth ? Math.max(2, Math.floor(actionsWidth / 75)) : 2)

/** Renders the content of a cell. */
export function renderTableCell<R extends UntypedRow>(
  props: DataTableProps<R>,
  { shown, facts }: TableLayout<R>,
  index: number,
  row: R,
) {
  const { onOpen, isPending } = props
  if (isPending) return CELL_SKELETON
  const opening = Math.max(
    0,
    shown.findIndex(({ isInput }) => !isInput),
  )
  const open = index === opening && onOpen && <Handle name={accessibleRowName(props, row)} onOpen={() => onOpen(row)} />
  const content = (
    <>
      {shown[index]!.cell(row)}
      {index === 0 && <Facts columns={facts} row={row} />}
    </>
  )
  if (index !== 0 || !onOpen)
    return (
      <>
        {open}
        {content}
      </>
    )
  return (
    <span className="kit-handle">
      {open}
      {content}
    </span>
  )
}

function Facts<R extends UntypedRow>({ columns, row }: { columns: readonly TableColumn<R>[]; row: R }) {
  const t = useLocalize()
  const filled = columns.filter(({ isBlank }) => !isBlank?.(row))
  if (!filled.length) return null
  return (
    <dl className="kit-tree-facts">
      {filled.map(({ key, label, cell, card = cell }) => (
        <div key={key}>
          <dt>{t(label)}</dt>
          <dd>{card(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * Button that opens the row for keyboard and screen reader users. It stands beside the cell's content, since links and
 * buttons must not be nested in a button.
 */
function Handle({ name, onOpen }: { name: string; onOpen: () => void }) {
  const t = useLocalize()
  return (
    <button
      type="button"
      className="kit-open"
      aria-label={t(words.viewOf, { name })}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    />
  )
}
