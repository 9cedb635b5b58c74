import { Checkbox } from 'antd'
import type { UntypedRow } from '../row/form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Pager } from './pager.tsx'
import { RowButtons } from './row-buttons.tsx'
import { accessibleRowName, type DataTableProps } from './table-props.ts'

/** Columns of a line below its first. */
const BELOW_MAX = 3

/**
 * Shows rows on a phone where no declaration says how they read, as in the recycle bin: the first column, the next
 * ones below it, and the actions.
 */
export function ColumnLines<R extends UntypedRow>({ table }: { table: DataTableProps<R> }) {
  const { columns, rows, isFetching, paging, label } = table
  const [first, ...others] = columns.filter(({ hidden }) => !hidden)
  return (
    <div className={isFetching ? 'kit-busy' : undefined} aria-busy={isFetching}>
      <ul className="kit-list-rows" aria-label={label}>
        {rows.map((row) => (
          <li key={String(row.id)} data-row-key={String(row.id)} className="kit-list-row">
            <div className="kit-list-row-front">
              <Choice table={table} row={row} />
              <span className="kit-list-row-body">
                <span className="kit-list-row-text">
                  <span className="kit-list-row-first">
                    <strong>{first?.cell(row)}</strong>
                  </span>
                  <span className="kit-list-row-second kit-list-row-columns">
                    {others.slice(0, BELOW_MAX).map((column) => (
                      <span key={column.key}>{column.cell(row)}</span>
                    ))}
                  </span>
                </span>
              </span>
              {table.rowActions && <RowButtons rowActions={table.rowActions(row)} inSight={1} />}
            </div>
          </li>
        ))}
      </ul>
      {paging && <Pager {...paging} />}
    </div>
  )
}

function Choice<R extends UntypedRow>({ table, row }: { table: DataTableProps<R>; row: R }) {
  const t = useLocalize()
  const { chosen = [], onChoose } = table
  if (!onChoose) return null
  const others = chosen.filter((one) => String(one.id) !== String(row.id))
  return (
    <span className="kit-list-row-choose">
      <Checkbox
        checked={others.length < chosen.length}
        aria-label={t(words.choose, { name: accessibleRowName(table, row) })}
        onChange={(event) => onChoose(event.target.checked ? [...chosen, row] : others)}
      />
    </span>
  )
}
