import type { CSSProperties, RefObject } from 'react'
import type { UntypedRow } from '../form/form-values.ts'
import { useLanguage, useLocalize, type Lang, type LocalizeFunction } from '../language.tsx'
import { words } from '../page-words.ts'
import { useScreenSize } from '../screen.ts'
import type { TableColumn } from './columns.tsx'
import { fitColumnWidths } from './fit-columns.ts'
import { rowActionsWidth } from './row-buttons.tsx'
import { accessibleRowName, type DataTableProps } from './table-props.ts'
import { useElementWidth } from './use-width.ts'

/** Width of a column with a box to tick or unfold. */
export const CHECKBOX_COLUMN_WIDTH = 44
export const SKELETON_ROWS: readonly UntypedRow[] = Array.from({ length: 8 }, (_, index) => ({
  id: `skeleton-${index}`,
}))
export const CELL_SKELETON = <span className="kit-skeleton" />

const PHONE_ACTIONS = 78
const LEAST_ACTIONS = 88

export type TableLayout<R extends UntypedRow> = {
  shown: TableColumn<R>[]
  /** What stands below the first column of a tree on a phone, where hardly another column is in sight. */
  facts: TableColumn<R>[]
  /** Room before the columns, for boxes to unfold and to tick. */
  before: number
  actionsWidth: number
  isPhone: boolean
  /** What all columns need together. */
  width: number
}

/** What is drawn within a frame that knows how wide everything is. */
export type FramedTableProps<R extends UntypedRow> = { table: DataTableProps<R>; layout: TableLayout<R> }

/** How wide everything is, whoever draws it: what one leaves off the next takes up without a jump. */
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

/** The box around a table. */
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

/** So many columns tell rows of one name apart, such as tenant and alias. */
const FACTS = 2

const factsOf = <R extends UntypedRow>({ columns }: DataTableProps<R>) =>
  columns
    .filter(({ hidden }) => !hidden)
    .slice(1)
    .filter(({ isInput }) => !isInput)
    .slice(0, FACTS)

/** The columns in sight, as wide as the table has room for. */
function useFitting<R extends UntypedRow>(props: DataTableProps<R>, width = Infinity, extra = 0, inRow = false) {
  const { columns, rows, isTree } = props
  const told = inRow ? factsOf(props) : []
  const seen = columns.filter((column) => !column.hidden && !told.includes(column))
  // The rows of a tree are not those on top of it alone.
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

/** What a row says and does as a whole. */
export function tableRowProps<R extends UntypedRow>(
  { onOpen, arrived, current, isPending }: DataTableProps<R>,
  row: R,
) {
  const id = String(row.id)
  const className = [onOpen && 'kit-row-opens', arrived?.has(id) && 'kit-row-new', current === id && 'kit-row-current']
  return {
    className: className.filter(Boolean).join(' '),
    // Choosing text in a row is no click on it.
    onClick: onOpen && (() => !getSelection()?.toString() && !isPending && onOpen(row)),
  }
}

/** The column that takes what is left of a wide screen: the widest one of text. */
export function widestTextColumnKey<R extends UntypedRow>(columns: readonly TableColumn<R>[]) {
  const text = columns.filter((column) => !column.align)
  return text.reduce<TableColumn<R> | undefined>(
    (best, column) => (!best || column.width >= best.width ? column : best),
    undefined,
  )?.key
}

/** So many actions of a row are in sight. */
export const visibleRowActionCount = <R extends UntypedRow>(
  { actionsWidth }: DataTableProps<R>,
  isPhone: boolean,
): number => (isPhone ? 0 : actionsWidth ? Math.max(2, Math.floor(actionsWidth / 75)) : 2)

/** What stands in a cell. */
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
  const told = columns.filter(({ isBlank }) => !isBlank?.(row))
  if (!told.length) return null
  return (
    <dl className="kit-tree-facts">
      {told.map(({ key, label, cell, card = cell }) => (
        <div key={key}>
          <dt>{t(label)}</dt>
          <dd>{card(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * The row's handle for those who do not use a mouse: beside what the cell holds, as links and buttons cannot stand in a
 * button.
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
