import type { Row } from '../form/form-values.ts'
import { useLocalize } from '../language.tsx'
import { words } from '../page-words.ts'
import type { Column } from './columns.tsx'
import { PlainButtons } from './row-buttons.tsx'
import { cellOf, visibleActionsOf, widestColumn, rowProps, SKELETON, SKELETONS } from './table-layout.tsx'
import type { InFrame } from './table-layout.tsx'
import { sumText, type DataTableProps } from './table-props.ts'

/** The first rows, drawn without a library: they can be read, opened and worked on, and stay where they are. */
export function PlainTable<R extends Row>({ table: given, layout }: InFrame<R>) {
  const t = useLocalize()
  // How far a tree is unfolded is known by the table that keeps it.
  const props = given.isTree ? { ...given, isPending: true } : given
  const { shown, before, actionsWidth, isPhone, width } = layout
  const widest = widestColumn(shown)
  const rows = props.isPending ? (SKELETONS as unknown as R[]) : props.rows
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

type OfTable<R extends Row> = { table: DataTableProps<R> }

function Heading<R extends Row>({ column, table: { sort, onSort } }: OfTable<R> & { column: Column<R> }) {
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

function PlainRow<R extends Row>({ row, table, layout }: InFrame<R> & { row: R }) {
  const { className, onClick } = rowProps(table, row)
  return (
    <tr data-row-key={String(row.id)} className={className} onClick={onClick}>
      {layout.before > 0 && <td />}
      {layout.shown.map(({ key, align }, index) => (
        <td key={key} style={{ textAlign: align }}>
          {cellOf(table, layout, index, row)}
        </td>
      ))}
      {table.rowActions && (
        <td className="kit-plain-end">
          {table.isPending ? (
            SKELETON
          ) : (
            <PlainButtons rowActions={table.rowActions(row)} inSight={visibleActionsOf(table, layout.isPhone)} />
          )}
        </td>
      )}
    </tr>
  )
}

function Sums<R extends Row>({ table, layout }: InFrame<R>) {
  const t = useLocalize()
  const { totals = {}, paging, rows, rowActions } = table
  return (
    <tr>
      {layout.before > 0 && <td />}
      {layout.shown.map(({ key, align }, index) => (
        <td key={key} style={{ textAlign: align }}>
          {totals[key] ?? (index === 0 ? sumText(paging, rows, t) : null)}
        </td>
      ))}
      {rowActions && <td />}
    </tr>
  )
}
