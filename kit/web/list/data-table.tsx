import { Table, type TableProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Column } from './columns.tsx'
import { fitColumns } from './fit-columns.ts'
import type { Row } from '../form/form-values.ts'
import { HeadCell } from './head-cell.tsx'
import { useLang, useSay, type Lang } from '../language.tsx'
import { PAGE_SIZES, type Sort } from './list-state.ts'
import { flat } from './nest.ts'
import { words } from '../page-words.ts'
import { actionsRoom, RowButtons } from './row-buttons.tsx'
import { RowCards } from './row-cards.tsx'
import { useScreen } from '../screen.ts'
import { nameOfRow, sumText, totalText, type DataTableProps, type Paging } from './table-props.ts'
import { useWidth } from './use-width.ts'
import '../kit.css'

const SKELETONS = Array.from({ length: 8 }, (_, index) => ({ id: `skeleton-${index}` }))

/** Rows as a table, and on a phone as cards. Knows nothing about resources. */
export function DataTable<R extends Row = Row>(props: DataTableProps<R>) {
  const screen = useScreen()
  if (props.instead && !props.isPending) return <div className="kit-table">{props.instead}</div>
  return screen === 0 && !props.isTree ? <RowCards {...props} /> : <WideTable {...props} />
}

function WideTable<R extends Row>(props: DataTableProps<R>) {
  const { rows, isPending, isFetching, onChoose, onOpen, density = 'medium', isTree, below, label, rowActions } = props
  const say = useSay()
  const language = useLang()
  const isPhone = useScreen() === 0
  const actionsWidth = isPhone ? PHONE_ACTIONS : (props.actionsWidth ?? actionWidth(props, say, language))
  const box = useRef<HTMLDivElement>(null)
  const extra = (rowActions ? actionsWidth : 0) + (onChoose ? BOX : 0) + (below ? BOX : 0)
  const shown = useFitting(props, useWidth(box), extra)
  const unfolding = useUnfolding(rows, !!isTree)
  const width = shown.reduce((sum, column) => sum + column.width, 0) + extra
  useScrolledByKeys(box, !onOpen || !!isPending)
  return (
    <div
      ref={box}
      className={`kit-table kit-density-${density}${isFetching && !isPending ? ' kit-busy' : ''}`}
      aria-busy={isFetching}
      role="region"
      aria-label={label}
      onFocus={bringBody}
      style={
        {
          '--kit-fixed-start': `${(shown[0]?.width ?? 0) + (onChoose ? BOX : 0)}px`,
          '--kit-fixed-end': `${rowActions ? actionsWidth : 0}px`,
        } as React.CSSProperties
      }
    >
      <Table<R>
        rowKey={(row) => String(row.id)}
        columns={tableColumns(props, { shown, actionsWidth, isPhone }, say)}
        dataSource={isPending ? (SKELETONS as unknown as R[]) : [...rows]}
        size={density}
        sticky
        tableLayout="fixed"
        scroll={{ x: width }}
        components={{ header: { cell: HeadCell } }}
        showSorterTooltip={false}
        locale={{ emptyText: ' ' }}
        expandable={isTree ? unfolding : below && { expandedRowRender: below }}
        rowSelection={rowSelection(props, isPhone, say)}
        onRow={(row) => rowProps(props, row)}
        onChange={(_page, _filters, sorter, { action }) => {
          if (action === 'sort' && !Array.isArray(sorter)) props.onSort?.(sortOf(sorter))
        }}
        pagination={props.paging ? pagination(props.paging, say) : false}
        summary={props.totals && (() => <Totals {...props} columns={shown} />)}
      />
    </div>
  )
}

/** Width of a column with a box to tick or unfold. */
const BOX = 44

/** The columns in sight, as wide as the table has room for. */
function useFitting<R extends Row>({ columns, rows, isTree }: DataTableProps<R>, width = Infinity, extra = 0) {
  const seen = columns.filter((column) => !column.hidden)
  // The rows of a tree are not those on top of it alone.
  return fitColumns(isTree ? seen.map((column) => ({ ...column, need: undefined })) : seen, rows, width - extra)
}

function rowSelection<R extends Row>(
  props: DataTableProps<R>,
  isPhone: boolean,
  say: Say,
): TableProps<R>['rowSelection'] {
  const { onChoose, chosen, isPending } = props
  return (
    onChoose && {
      columnWidth: BOX,
      fixed: !isPhone,
      selectedRowKeys: chosen?.map((row) => String(row.id)),
      // A choice made on one page is still there on the next.
      preserveSelectedRowKeys: true,
      onChange: (_keys, picked) => onChoose(picked.filter(Boolean)),
      getCheckboxProps: (row) => ({
        disabled: isPending,
        'aria-label': say(words.choose, { name: nameOfRow(props, row) }),
      }),
      getTitleCheckboxProps: () => ({ 'aria-label': say(words.chooseAll) }),
      checkStrictly: true,
    }
  )
}

function rowProps<R extends Row>({ onOpen, arrived, current, isPending }: DataTableProps<R>, row: R) {
  const id = String(row.id)
  const className = [onOpen && 'kit-row-opens', arrived?.has(id) && 'kit-row-new', current === id && 'kit-row-current']
  return {
    className: className.filter(Boolean).join(' '),
    // Choosing text in a row is no click on it.
    onClick: onOpen && (() => !getSelection()?.toString() && !isPending && onOpen(row)),
  }
}

const sortOf = ({ order, columnKey }: { order?: string | null; columnKey?: React.Key }): Sort | undefined =>
  order ? { key: String(columnKey), descending: order === 'descend' } : undefined

/** Rows that hold nothing to stop at are scrolled sideways by the arrow keys: what scrolls takes the focus itself. */
function useScrolledByKeys(box: React.RefObject<HTMLElement | null>, isNeeded: boolean) {
  useEffect(() => {
    const body = box.current?.querySelector<HTMLElement>('.ant-table-body, .ant-table-content')
    if (isNeeded) body?.setAttribute('tabindex', '0')
    else body?.removeAttribute('tabindex')
  }, [box, isNeeded])
}

/** A heading that takes the focus is scrolled into sight; the rows below it come along. */
function bringBody({ currentTarget, target }: React.FocusEvent<HTMLElement>) {
  const head = target.closest('.ant-table-header')
  const body = head && currentTarget.querySelector('.ant-table-body, .ant-table-content')
  if (head && body && body.scrollLeft !== head.scrollLeft) body.scrollLeft = head.scrollLeft
}

type Say = ReturnType<typeof useSay>

const PHONE_ACTIONS = 78
const LEAST_ACTIONS = 88

function actionWidth<R extends Row>({ rows, rowActions, isPending }: DataTableProps<R>, say: Say, lang: Lang) {
  if (!rowActions || isPending || !rows.length) return lang === 'zh' ? 176 : 216
  return Math.max(LEAST_ACTIONS, ...rows.map((row) => actionsRoom(rowActions(row), say)))
}

const SMALL_TREE = 60

/** A small tree shows itself whole; a large one is unfolded by the reader. */
function useUnfolding(rows: readonly Row[], isTree: boolean) {
  const [keys, setKeys] = useState<readonly string[]>()
  const all = isTree && keys === undefined ? flat(rows) : []
  return {
    indentSize: 20,
    expandedRowKeys: keys ?? (all.length <= SMALL_TREE ? all.map((row) => String(row.id)) : []),
    onExpandedRowsChange: (next: readonly React.Key[]) => setKeys(next.map(String)),
  }
}

/** The column that takes what is left of a wide screen: the widest one of text. */
function roomiest<R extends Row>(columns: readonly Column<R>[]) {
  const text = columns.filter((column) => !column.align)
  return text.reduce<Column<R> | undefined>(
    (best, column) => (!best || column.width >= best.width ? column : best),
    undefined,
  )?.key
}

type Columns<R> = NonNullable<TableProps<R>['columns']>
type Layout<R extends Row> = { shown: Column<R>[]; actionsWidth: number; isPhone: boolean }

const SKELETON = <span className="kit-skeleton" />

function tableColumns<R extends Row>(props: DataTableProps<R>, layout: Layout<R>, say: Say): Columns<R> {
  const { rowActions, isPending } = props
  const { shown, actionsWidth, isPhone } = layout
  const columns = shown.map((column, index) => tableColumn(props, column, index, layout, say))
  if (!rowActions) return columns
  const inSight = isPhone ? 0 : props.actionsWidth ? Math.max(2, Math.floor(props.actionsWidth / 75)) : 2
  const ofActions: Columns<R>[number] = {
    key: '·actions',
    title: say(words.actions),
    width: actionsWidth,
    fixed: 'end',
    render: (_value, row) => (isPending ? SKELETON : <RowButtons rowActions={rowActions(row)} inSight={inSight} />),
  }
  return [...columns, ofActions]
}

function tableColumn<R extends Row>(
  props: DataTableProps<R>,
  column: Column<R>,
  index: number,
  { shown, isPhone }: Layout<R>,
  say: Say,
): Columns<R>[number] {
  const { sort, onSort, onWidth, onOpen, isPending } = props
  const opening = Math.max(
    0,
    shown.findIndex(({ isInput }) => !isInput),
  )
  return {
    key: column.key,
    title: say(column.label),
    width: column.key === roomiest(shown) ? undefined : column.width,
    align: column.align,
    // Two fixed columns would leave a phone no room for the others.
    fixed: index === 0 && !isPhone ? ('start' as const) : undefined,
    sorter: onSort && column.sortable ? true : undefined,
    sortOrder: sort?.key === column.key ? (sort.descending ? ('descend' as const) : ('ascend' as const)) : null,
    sortDirections: ['descend' as const, 'ascend' as const],
    onHeaderCell: () =>
      ({
        label: column.label,
        'data-width': column.width,
        onWidth: onWidth && ((width: number) => onWidth(column.key, width)),
      }) as never,
    render: (_value: unknown, row: R) => {
      if (isPending) return SKELETON
      const open = index === opening && onOpen && <Handle name={nameOfRow(props, row)} onOpen={() => onOpen(row)} />
      const content = column.cell(row)
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
    },
  }
}

/**
 * The row's handle for those who do not use a mouse: beside what the cell holds, as links and buttons cannot stand in a
 * button.
 */
function Handle({ name, onOpen }: { name: string; onOpen: () => void }) {
  const say = useSay()
  return (
    <button
      type="button"
      className="kit-open"
      aria-label={say(words.viewOf, { name })}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    />
  )
}

const pagination = (paging: Paging, say: Say): TableProps<Row>['pagination'] => ({
  current: paging.current,
  pageSize: paging.size,
  total: paging.total,
  showSizeChanger: true,
  pageSizeOptions: PAGE_SIZES,
  showTotal: () => totalText(paging, say),
  placement: ['bottomEnd'],
  onChange: (current, size) => paging.onChange(size === paging.size ? current : 1, size),
})

function Totals<R extends Row>({
  columns,
  totals = {},
  onChoose,
  rowActions,
  below,
  paging,
  rows,
}: DataTableProps<R> & { columns: readonly Column<R>[] }) {
  const say = useSay()
  const before = (onChoose ? 1 : 0) + (below ? 1 : 0)
  return (
    <Table.Summary fixed>
      <Table.Summary.Row>
        {before > 0 && <Table.Summary.Cell index={0} colSpan={before} />}
        {columns.map((column, index) => (
          <Table.Summary.Cell key={column.key} index={before + index} align={column.align}>
            {totals[column.key] ?? (index === 0 ? sumText(paging, rows, say) : null)}
          </Table.Summary.Cell>
        ))}
        {rowActions && <Table.Summary.Cell index={before + columns.length} />}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
