import { Table, type TableProps } from 'antd'
import { useEffect, useState, type RefObject } from 'react'
import type { Row } from '../form/form-values.ts'
import { useLocalize, type Localize } from '../language.tsx'
import { words } from '../page-words.ts'
import type { Column } from './columns.tsx'
import { HeadCell } from './head-cell.tsx'
import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import type { Sort } from './list-state.ts'
import { flat } from './nest.ts'
import { RowButtons } from './row-buttons.tsx'
import {
  BOX,
  cellOf,
  visibleActionsOf,
  widestColumn,
  rowProps,
  SKELETON,
  SKELETONS,
  type InFrame,
  type Layout,
} from './table-layout.tsx'
import { nameOfRow, sumText, totalText, type DataTableProps, type Paging } from './table-props.ts'

type InBox<R extends Row> = InFrame<R> & { box: RefObject<HTMLElement | null> }

/** Rows as antd draws them: sorted, paged and chosen from. Knows nothing about resources. */
export default function WideTable<R extends Row>({ table: props, layout, box }: InBox<R>) {
  const { rows, isPending, onOpen, density = 'medium', isTree, below } = props
  const t = useLocalize()
  const { shown, isPhone, width } = layout
  const unfolding = useUnfolding(rows, !!isTree)
  useScrolledByKeys(box, !onOpen || !!isPending)
  return (
    <Table<R>
      rowKey={(row) => String(row.id)}
      columns={tableColumns(props, layout, t)}
      dataSource={isPending ? (SKELETONS as unknown as R[]) : [...rows]}
      size={density}
      sticky
      tableLayout="fixed"
      scroll={{ x: width }}
      components={{ header: { cell: HeadCell } }}
      showSorterTooltip={false}
      locale={{ emptyText: ' ' }}
      expandable={isTree ? unfolding : below && { expandedRowRender: below }}
      rowSelection={rowSelection(props, isPhone, t)}
      onRow={(row) => rowProps(props, row)}
      onChange={(_page, _filters, sorter, { action }) => {
        if (action === 'sort' && !Array.isArray(sorter)) props.onSort?.(sortOf(sorter))
      }}
      pagination={props.paging ? pagination(props.paging, t) : false}
      summary={props.totals && (() => <Totals {...props} columns={shown} />)}
    />
  )
}

function rowSelection<R extends Row>(
  props: DataTableProps<R>,
  isPhone: boolean,
  t: Localize,
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
        'aria-label': t(words.choose, { name: nameOfRow(props, row) }),
      }),
      getTitleCheckboxProps: () => ({ 'aria-label': t(words.chooseAll) }),
      checkStrictly: true,
    }
  )
}

const sortOf = ({ order, columnKey }: { order?: string | null; columnKey?: React.Key }): Sort | undefined =>
  order ? { key: String(columnKey), descending: order === 'descend' } : undefined

/** Rows that hold nothing to stop at are scrolled sideways by the arrow keys: what scrolls takes the focus itself. */
function useScrolledByKeys(box: RefObject<HTMLElement | null>, isNeeded: boolean) {
  useEffect(() => {
    const body = box.current?.querySelector<HTMLElement>('.ant-table-body, .ant-table-content')
    if (isNeeded) body?.setAttribute('tabindex', '0')
    else body?.removeAttribute('tabindex')
  }, [box, isNeeded])
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

type Columns<R> = NonNullable<TableProps<R>['columns']>

function tableColumns<R extends Row>(props: DataTableProps<R>, layout: Layout<R>, t: Localize): Columns<R> {
  const { rowActions, isPending } = props
  const { shown, actionsWidth, isPhone } = layout
  const columns = shown.map((column, index) => tableColumn(props, column, index, layout, t))
  if (!rowActions) return columns
  const inSight = visibleActionsOf(props, isPhone)
  const ofActions: Columns<R>[number] = {
    key: '·actions',
    title: t(words.actions),
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
  layout: Layout<R>,
  t: Localize,
): Columns<R>[number] {
  const { sort, onSort, onWidth } = props
  const { shown, isPhone } = layout
  return {
    key: column.key,
    title: t(column.label),
    width: column.key === widestColumn(shown) ? undefined : column.width,
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
    render: (_value: unknown, row: R) => cellOf(props, layout, index, row),
  }
}

const pagination = (paging: Paging, t: Localize): TableProps<Row>['pagination'] => ({
  current: paging.current,
  pageSize: paging.size,
  total: paging.total,
  showSizeChanger: true,
  pageSizeOptions: [...PAGE_SIZES],
  showTotal: () => totalText(paging, t),
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
  const t = useLocalize()
  const before = (onChoose ? 1 : 0) + (below ? 1 : 0)
  return (
    <Table.Summary fixed>
      <Table.Summary.Row>
        {before > 0 && <Table.Summary.Cell index={0} colSpan={before} />}
        {columns.map((column, index) => (
          <Table.Summary.Cell key={column.key} index={before + index} align={column.align}>
            {totals[column.key] ?? (index === 0 ? sumText(paging, rows, t) : null)}
          </Table.Summary.Cell>
        ))}
        {rowActions && <Table.Summary.Cell index={before + columns.length} />}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
