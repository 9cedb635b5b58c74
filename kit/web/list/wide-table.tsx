import { Table, type TableProps } from 'antd'
import { useEffect, useState, type RefObject } from 'react'
import type { UntypedRow } from '../row/form-values.ts'
import { useLocalize, type LocalizeFunction } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import type { TableColumn } from './columns.tsx'
import { ResizableHeadCell } from './head-cell.tsx'
import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import type { ListSort } from './list-state.ts'
import { flattenRowTree } from './nest.ts'
import { RowButtons } from './row-buttons.tsx'
import {
  CHECKBOX_COLUMN_WIDTH,
  renderTableCell,
  visibleRowActionCount,
  widestTextColumnKey,
  tableRowProps,
  CELL_SKELETON,
  SKELETON_ROWS,
  type FramedTableProps,
  type TableLayout,
} from './table-layout.tsx'
import {
  accessibleRowName,
  totalsRowLabel,
  totalCountText,
  type DataTableProps,
  type TablePaging,
} from './table-props.ts'

type InBox<R extends UntypedRow> = FramedTableProps<R> & { box: RefObject<HTMLElement | null> }

/** Shows rows in antd's table with sorting, paging and selection. Knows nothing about resources. */
export default function AntdDataTable<R extends UntypedRow>({ table: props, layout, box }: InBox<R>) {
  const { rows, isPending, onOpen, density = 'medium', isTree, below } = props
  const t = useLocalize()
  const { shown, isPhone, width } = layout
  const unfolding = useUnfolding(rows, !!isTree)
  useScrolledByKeys(box, !onOpen || !!isPending)
  return (
    <Table<R>
      rowKey={(row) => String(row.id)}
      columns={tableColumns(props, layout, t)}
      dataSource={isPending ? (SKELETON_ROWS as unknown as R[]) : [...rows]}
      size={density}
      sticky
      tableLayout="fixed"
      scroll={{ x: width }}
      components={{ header: { cell: ResizableHeadCell } }}
      showSorterTooltip={false}
      locale={{ emptyText: ' ' }}
      expandable={isTree ? unfolding : below && { expandedRowRender: below }}
      rowSelection={rowSelection(props, isPhone, t)}
      onRow={(row) => tableRowProps(props, row)}
      onChange={(_page, _filters, sorter, { action }) => {
        if (action === 'sort' && !Array.isArray(sorter)) props.onSort?.(sortOf(sorter))
      }}
      pagination={props.paging ? pagination(props.paging, t) : false}
      summary={props.totals && (() => <Totals {...props} columns={shown} />)}
    />
  )
}

function rowSelection<R extends UntypedRow>(
  props: DataTableProps<R>,
  isPhone: boolean,
  t: LocalizeFunction,
): TableProps<R>['rowSelection'] {
  const { onChoose, chosen, isPending } = props
  return (
    onChoose && {
      columnWidth: CHECKBOX_COLUMN_WIDTH,
      fixed: !isPhone,
      selectedRowKeys: chosen?.map((row) => String(row.id)),
      // Rows selected on one page stay selected on the next.
      preserveSelectedRowKeys: true,
      onChange: (_keys, picked) => onChoose(picked.filter(Boolean)),
      getCheckboxProps: (row) => ({
        disabled: isPending,
        'aria-label': t(words.choose, { name: accessibleRowName(props, row) }),
      }),
      getTitleCheckboxProps: () => ({ 'aria-label': t(words.chooseAll) }),
      checkStrictly: true,
    }
  )
}

const sortOf = ({ order, columnKey }: { order?: string | null; columnKey?: React.Key }): ListSort | undefined =>
  order ? { key: String(columnKey), descending: order === 'descend' } : undefined

/**
 * If rows have nothing to focus, makes the scrolling element itself focusable, so that arrow keys scroll it sideways.
 */
function useScrolledByKeys(box: RefObject<HTMLElement | null>, isNeeded: boolean) {
  useEffect(() => {
    const body = box.current?.querySelector<HTMLElement>('.ant-table-body, .ant-table-content')
    if (isNeeded) body?.setAttribute('tabindex', '0')
    else body?.removeAttribute('tabindex')
  }, [box, isNeeded])
}

const SMALL_TREE = 60

/** State of the unfolded nodes. A small tree starts unfolded, a large one folded. */
function useUnfolding(rows: readonly UntypedRow[], isTree: boolean) {
  const [keys, setKeys] = useState<readonly string[]>()
  const all = isTree && keys === undefined ? flattenRowTree(rows) : []
  return {
    indentSize: 20,
    expandedRowKeys: keys ?? (all.length <= SMALL_TREE ? all.map((row) => String(row.id)) : []),
    onExpandedRowsChange: (next: readonly React.Key[]) => setKeys(next.map(String)),
  }
}

type Columns<R> = NonNullable<TableProps<R>['columns']>

function tableColumns<R extends UntypedRow>(
  props: DataTableProps<R>,
  layout: TableLayout<R>,
  t: LocalizeFunction,
): Columns<R> {
  const { rowActions, isPending } = props
  const { shown, actionsWidth, isPhone } = layout
  const columns = shown.map((column, index) => tableColumn(props, column, index, layout, t))
  if (!rowActions) return columns
  const inSight = visibleRowActionCount(props, isPhone)
  const ofActions: Columns<R>[number] = {
    key: '·actions',
    title: t(words.actions),
    width: actionsWidth,
    fixed: 'end',
    render: (_value, row) =>
      isPending ? CELL_SKELETON : <RowButtons rowActions={rowActions(row)} inSight={inSight} />,
  }
  return [...columns, ofActions]
}

function tableColumn<R extends UntypedRow>(
  props: DataTableProps<R>,
  column: TableColumn<R>,
  index: number,
  layout: TableLayout<R>,
  t: LocalizeFunction,
): Columns<R>[number] {
  const { sort, onSort, onWidth } = props
  const { shown, isPhone } = layout
  return {
    key: column.key,
    title: t(column.label),
    width: column.key === widestTextColumnKey(shown) ? undefined : column.width,
    align: column.align,
    // On a phone two fixed columns would leave no room for the others.
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
    render: (_value: unknown, row: R) => renderTableCell(props, layout, index, row),
  }
}

const pagination = (paging: TablePaging, t: LocalizeFunction): TableProps<UntypedRow>['pagination'] => ({
  current: paging.current,
  pageSize: paging.size,
  total: paging.total,
  showSizeChanger: true,
  pageSizeOptions: [...PAGE_SIZES],
  showTotal: () => totalCountText(paging, t),
  placement: ['bottomEnd'],
  onChange: (current, size) => paging.onChange(size === paging.size ? current : 1, size),
})

function Totals<R extends UntypedRow>({
  columns,
  totals = {},
  onChoose,
  rowActions,
  below,
  paging,
  rows,
}: DataTableProps<R> & { columns: readonly TableColumn<R>[] }) {
  const t = useLocalize()
  const before = (onChoose ? 1 : 0) + (below ? 1 : 0)
  return (
    <Table.Summary fixed>
      <Table.Summary.Row>
        {before > 0 && <Table.Summary.Cell index={0} colSpan={before} />}
        {columns.map((column, index) => (
          <Table.Summary.Cell key={column.key} index={before + index} align={column.align}>
            {totals[column.key] ?? (index === 0 ? totalsRowLabel(paging, rows, t) : null)}
          </Table.Summary.Cell>
        ))}
        {rowActions && <Table.Summary.Cell index={before + columns.length} />}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
