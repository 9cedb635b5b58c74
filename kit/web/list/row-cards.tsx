import { Checkbox } from 'antd'
import type { UntypedRow } from '../row/form-values.ts'
import type { TableColumn } from './columns.tsx'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Pager } from './pager.tsx'
import { RowButtons } from './row-buttons.tsx'
import { accessibleRowName, totalsRowLabel, type DataTableProps } from './table-props.ts'

/** Most columns a card shows below its heading. */
export const CARD_FACTS_MAX = 8

/** Shows rows as cards, for phones: the first column as heading, the next non-empty ones below it. */
export function RowCards<R extends UntypedRow>(props: DataTableProps<R>) {
  const { columns, rows, isPending, isFetching, paging, chosen, label } = props
  const shown = columns.filter((column) => !column.hidden)
  const ids = new Set(chosen?.map((row) => String(row.id)))
  if (isPending) return <CardSkeletons />
  return (
    <div className={isFetching ? 'kit-busy' : undefined} aria-busy={isFetching}>
      <ul className="kit-cards" aria-label={label}>
        {rows.map((row) => (
          <RowCard key={String(row.id)} row={row} table={props} shown={shown} isChosen={ids.has(String(row.id))} />
        ))}
        <SumCard table={props} shown={shown} />
      </ul>
      {paging && <Pager {...paging} />}
    </div>
  )
}

function CardSkeletons() {
  return (
    <div className="kit-cards" aria-busy>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="kit-card">
          <span className="kit-skeleton" />
          <span className="kit-skeleton" />
          <span className="kit-skeleton" />
        </div>
      ))}
    </div>
  )
}

type OfTable<R extends UntypedRow> = { table: DataTableProps<R>; shown: readonly TableColumn<R>[] }

function RowCard<R extends UntypedRow>({ row, table, shown, isChosen }: OfTable<R> & { row: R; isChosen: boolean }) {
  const t = useLocalize()
  const { rowActions, onOpen, arrived, below, current } = table
  const id = String(row.id)
  const [head, ...facts] = shown.filter((column) => !column.isBlank?.(row))
  // A tap opens the card itself, so "view" is left out, unless a tap only selects the row.
  const all = (rowActions?.(row) ?? []).filter(({ key }) => key !== 'view' || !onOpen || current !== undefined)
  return (
    <li
      data-row-key={id}
      className={`kit-card${arrived?.has(id) ? ' kit-row-new' : ''}${current === id ? ' kit-row-current' : ''}`}
      onClick={() => onOpen?.(row)}
    >
      <CardHeading row={row} table={table} head={head} isChosen={isChosen} />
      <dl>
        {facts.slice(0, CARD_FACTS_MAX).map((column) => (
          <div key={column.key}>
            <dt>{t(column.label)}</dt>
            <dd>{(column.card ?? column.cell)(row)}</dd>
          </div>
        ))}
      </dl>
      {below?.(row)}
      {all.length > 0 && (
        <footer>
          <RowButtons rowActions={all} wide />
        </footer>
      )}
    </li>
  )
}

type HeadingProps<R extends UntypedRow> = {
  row: R
  table: DataTableProps<R>
  head: TableColumn<R> | undefined
  isChosen: boolean
}

function CardHeading<R extends UntypedRow>({ row, table, head, isChosen }: HeadingProps<R>) {
  const t = useLocalize()
  const { chosen = [], onChoose, onOpen } = table
  const name = accessibleRowName(table, row)
  const others = chosen.filter((one) => String(one.id) !== String(row.id))
  return (
    <header>
      {onChoose && (
        <span className="kit-card-choose" onClick={(event) => event.stopPropagation()}>
          <Checkbox
            checked={isChosen}
            aria-label={t(words.choose, { name })}
            onChange={(event) => onChoose(event.target.checked ? [...chosen, row] : others)}
          />
        </span>
      )}
      <strong>{head && (head.card ?? head.cell)(row)}</strong>
      {onOpen && (
        <button
          type="button"
          className="kit-card-open"
          aria-label={t(words.viewOf, { name })}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(row)
          }}
        >
          <Icon name="right" />
        </button>
      )}
    </header>
  )
}

function SumCard<R extends UntypedRow>({ table: { totals = {}, paging, rows }, shown }: OfTable<R>) {
  const t = useLocalize()
  const sums = shown.filter(({ key }) => totals[key] !== undefined)
  if (!sums.length) return null
  return (
    <li className="kit-card kit-card-sum">
      <header>
        <strong>{totalsRowLabel(paging, rows, t)}</strong>
      </header>
      <dl>
        {sums.map(({ key, label }) => (
          <div key={key}>
            <dt>{t(label)}</dt>
            <dd>{totals[key]}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
