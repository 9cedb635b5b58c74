import { Table, type TableProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Column } from './columns.tsx'
import { fitColumns } from './fit-columns.ts'
import type { Row } from '../form/form-values.ts'
import { HeadCell } from './head-cell.tsx'
import { useLang, useSay, type Lang } from '../language.tsx'
import { PAGE_SIZES } from './list-state.ts'
import { flat } from './nest.ts'
import { words } from '../page-words.ts'
import { deedsRoom, RowButtons } from './row-buttons.tsx'
import { RowCards } from './row-cards.tsx'
import { useScreen } from '../screen.ts'
import { nameOfRow, sumText, totalText, type DataTableProps, type Paging } from './table-props.ts'
import { useWidth } from './use-width.ts'
import '../kit.css'

export type { DataTableProps, Paging } from './table-props.ts'

const SKELETONS = Array.from({ length: 8 }, (_, index) => ({ id: `skeleton-${index}` }))

/** Rows as a table, and on a phone as cards. Knows nothing about resources. */
export function DataTable<R extends Row = Row>(props: DataTableProps<R>) {
  const screen = useScreen()
  if (props.instead && !props.isPending) return <div className="kit-table">{props.instead}</div>
  return screen === 0 && !props.isTree ? <RowCards {...props} /> : <WideTable {...props} />
}

function WideTable<R extends Row>(props: DataTableProps<R>) {
  const {
    rows,
    isPending,
    isFetching,
    onSort,
    paging,
    chosen,
    onChoose,
    onOpen,
    arrived,
    density = 'medium',
    isTree,
    below,
    label,
    deeds,
  } = props
  const say = useSay()
  const language = useLang()
  const isPhone = useScreen() === 0
  const deedsWidth = isPhone ? PHONE_ACTIONS : (props.deedsWidth ?? actionWidth(props, say, language))
  const box = useRef<HTMLDivElement>(null)
  const extra = (deeds ? deedsWidth : 0) + (onChoose ? 44 : 0) + (below ? 44 : 0)
  const seen = props.columns.filter((column) => !column.hidden)
  // The rows of a tree are not those on top of it alone.
  const shown = fitColumns(
    isTree ? seen.map((column) => ({ ...column, need: undefined })) : seen,
    rows,
    (useWidth(box) ?? Infinity) - extra,
  )
  const nameOf = (row: R) => nameOfRow(props, row)
  const unfolding = useUnfolding(rows, !!isTree)
  const columns = tableColumns(
    { ...props, deedsWidth, nameOf },
    shown,
    say,
    isPhone,
    props.deedsWidth ? Math.max(2, Math.floor(props.deedsWidth / 75)) : 2,
  )
  const width = shown.reduce((sum, column) => sum + column.width, 0) + extra
  useScrolledByKeys(box, !onOpen || !!isPending)
  const data = isPending ? (SKELETONS as unknown as R[]) : [...rows]
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
          '--kit-fixed-start': `${(shown[0]?.width ?? 0) + (onChoose ? 44 : 0)}px`,
          '--kit-fixed-end': `${deeds ? deedsWidth : 0}px`,
        } as React.CSSProperties
      }
    >
      <Table<R>
        rowKey={(row) => String(row.id)}
        columns={columns}
        dataSource={data}
        size={density}
        sticky
        tableLayout="fixed"
        scroll={{ x: width }}
        components={{ header: { cell: HeadCell } }}
        showSorterTooltip={false}
        locale={{ emptyText: ' ' }}
        expandable={isTree ? unfolding : below && { expandedRowRender: below }}
        rowSelection={
          onChoose && {
            columnWidth: 44,
            fixed: !isPhone,
            selectedRowKeys: chosen?.map((row) => String(row.id)),
            // A choice made on one page is still there on the next.
            preserveSelectedRowKeys: true,
            onChange: (_keys, picked) => onChoose(picked.filter(Boolean)),
            getCheckboxProps: (row) => ({
              disabled: isPending,
              'aria-label': say(words.choose, { name: nameOf(row) }),
            }),
            getTitleCheckboxProps: () => ({ 'aria-label': say(words.chooseAll) }),
            checkStrictly: true,
          }
        }
        onRow={(row) => ({
          className: [
            onOpen && 'kit-row-opens',
            arrived?.has(String(row.id)) && 'kit-row-new',
            props.current === String(row.id) && 'kit-row-current',
          ]
            .filter(Boolean)
            .join(' '),
          // Choosing text in a row is no click on it.
          onClick: onOpen && (() => !getSelection()?.toString() && !isPending && onOpen(row)),
        })}
        onChange={(_page, _filters, sorter, { action }) => {
          if (action !== 'sort' || Array.isArray(sorter)) return
          onSort?.(sorter.order ? { key: String(sorter.columnKey), descending: sorter.order === 'descend' } : undefined)
        }}
        pagination={paging ? pagination(paging, say) : false}
        summary={props.totals && (() => <Totals {...props} columns={shown} />)}
      />
    </div>
  )
}

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

function actionWidth<R extends Row>({ rows, deeds, isPending }: DataTableProps<R>, say: Say, lang: Lang) {
  if (!deeds || isPending || !rows.length) return lang === 'zh' ? 176 : 216
  return Math.max(LEAST_ACTIONS, ...rows.map((row) => deedsRoom(deeds(row), say)))
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

function tableColumns<R extends Row>(
  props: DataTableProps<R> & { deedsWidth: number; nameOf: (row: R) => string },
  shown: Column<R>[],
  say: Say,
  isPhone: boolean,
  inSight: number,
): NonNullable<TableProps<R>['columns']> {
  const { sort, onSort, onWidth, deeds, deedsWidth, isPending, onOpen, nameOf } = props
  const elastic = roomiest(shown)
  const opening = Math.max(
    0,
    shown.findIndex(({ isInput }) => !isInput),
  )
  const skeleton = <span className="kit-skeleton" />
  const columns: NonNullable<TableProps<R>['columns']> = shown.map((column, index) => ({
    key: column.key,
    title: say(column.label),
    width: column.key === elastic ? undefined : column.width,
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
      if (isPending) return skeleton
      const content = column.cell(row)
      // The row's handle for those who do not use a mouse: beside what the cell holds, as links and buttons cannot
      // stand in a button.
      const open = index === opening && onOpen && (
        <button
          type="button"
          className="kit-open"
          aria-label={say(words.viewOf, { name: nameOf(row) })}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(row)
          }}
        />
      )
      return index === 0 && onOpen ? (
        <span className="kit-handle">
          {open}
          {content}
        </span>
      ) : (
        <>
          {open}
          {content}
        </>
      )
    },
  }))
  if (deeds) {
    columns.push({
      key: '·actions',
      title: say(words.actions),
      width: deedsWidth,
      fixed: 'end',
      render: (_value, row) =>
        isPending ? skeleton : <RowButtons deeds={deeds(row)} inSight={isPhone ? 0 : inSight} />,
    })
  }
  return columns
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
  deeds,
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
        {deeds && <Table.Summary.Cell index={before + columns.length} />}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
