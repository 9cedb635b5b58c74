import type { UntypedRow } from '../row/form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import type { TableColumn } from './columns.tsx'
import { PlainRowButtons } from './row-buttons.tsx'
import {
  renderTableCell,
  visibleRowActionCount,
  widestTextColumnKey,
  tableRowProps,
  CELL_SKELETON,
  SKELETON_ROWS,
  type FramedTableProps,
} from './table-layout.tsx'
import { totalsRowLabel, type DataTableProps } from './table-props.ts'

/**
 * Shows the first rows in a plain HTML table while antd's table loads. They can be read, opened and acted on, and do
 * not move when the other table replaces it.
 */
export function PlainHtmlTable<R extends UntypedRow>({ table: given, layout }: FramedTableProps<R>) {
  const t = useLocalize()
  // A tree shows skeletons instead, because only antd's table knows which nodes are unfolded.
  const props = given.isTree ? { ...given, isPending: true } : given
  const { shown, before, actionsWidth, isPhone, width } = layout
  const widest = widestTextColumnKey(shown)
  const rows = props.isPending ? (SKELETON_ROWS as unknown as R[]) : props.rows

  return (
    <>
      <div
        className={`kit-plain${isPhone ? '' : ' kit-plain-fixed'}`}
        tabIndex={props.onOpen && !props.isPending ? undefined : 0}
      >
        <table style={{ width }}>
          <colgroup>
            {before > 0 && <col style={{ width: before }} />}
            {shown.map(({ key, width: own }) => (
              <col key={key} style={{ width: key === widest ? undefined : own }} />
            ))}
            {props.rowActions && <col style={{ width: actionsWidth }} />}
          </colgroup>
          <thead>
            <tr>
              {before > 0 && <td />}
              {shown.map((column) => (
                <Heading key={column.key} column={column} table={props} />
              ))}
              {props.rowActions && (
                <th scope="col" className="kit-plain-end">
                  {t(words.actions)}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PlainRow key={String(row.id)} row={row} table={props} layout={layout} />
            ))}
            {props.totals && <Sums table={props} layout={layout} />}
          </tbody>
        </table>
      </div>
      {props.paging && <div className="kit-plain-pager" />}
    </>
  )
}

type OfTable<R extends UntypedRow> = { table: DataTableProps<R> }

function Heading<R extends UntypedRow>({ column, table: { sort, onSort } }: OfTable<R> & { column: TableColumn<R> }) {
  const t = useLocalize()
  const isSorted = sort?.key === column.key
  return (
    <th
      scope="col"
      className={onSort && column.sortable ? 'kit-plain-sorts' : undefined}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      style={{ textAlign: column.align }}
    >
      {t(column.label)}
    </th>
  )
}

function PlainRow<R extends UntypedRow>({ row, table, layout }: FramedTableProps<R> & { row: R }) {
  const { className, onClick } = tableRowProps(table, row)
  return (
    <tr data-row-key={String(row.id)} className={className} onClick={onClick}>
      {layout.before > 0 && <td />}
      {layout.shown.map(({ key, align }, index) => (
        <td key={key} style={{ textAlign: align }}>
          {renderTableCell(table, layout, index, row)}
        </td>
      ))}
      {table.rowActions && (
        <td className="kit-plain-end">
          {table.isPending ? (
            CELL_SKELETON
          ) : (
            <PlainRowButtons
              rowActions={table.rowActions(row)}
              inSight={visibleRowActionCount(table, layout.isPhone)}
            />
          )}
        </td>
      )}
    </tr>
  )
}

function Sums<R extends UntypedRow>({ table, layout }: FramedTableProps<R>) {
  const t = useLocalize()
  const { totals = {}, paging, rows, rowActions } = table
  return (
    <tr>
      {layout.before > 0 && <td />}
      {layout.shown.map(({ key, align }, index) => (
        <td key={key} style={{ textAlign: align }}>
          {totals[key] ?? (index === 0 ? totalsRowLabel(paging, rows, t) : null)}
        </td>
      ))}
      {rowActions && <td />}
    </tr>
  )
}
