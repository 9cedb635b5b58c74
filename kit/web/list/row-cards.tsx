import { Button, Checkbox } from 'antd'
import type { Row } from '../form/form-values.ts'
import { Icon } from '../theme/icon.tsx'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'
import { RowButtons } from './row-buttons.tsx'
import { nameOfRow, sumText, totalText, type DataTableProps } from './table-props.ts'

/** So many columns a card shows below its heading. */
export const FACTS = 8

/**
 * Rows as cards, for a phone: the first column is the heading, the next ones that hold something are facts below it.
 */
export function RowCards<R extends Row>({
  columns,
  titleOf,
  rows,
  isPending,
  isFetching,
  paging,
  deeds,
  chosen,
  onChoose,
  onOpen,
  arrived,
  below,
  label,
  current,
  totals = {},
}: DataTableProps<R>) {
  const say = useSay()
  const shown = columns.filter((column) => !column.hidden)
  const sums = shown.filter(({ key }) => totals[key] !== undefined)
  const ids = new Set(chosen?.map((row) => String(row.id)))
  if (isPending) {
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
  return (
    <div className={isFetching ? 'kit-busy' : undefined} aria-busy={isFetching}>
      <ul className="kit-cards" aria-label={label}>
        {rows.map((row) => {
          const id = String(row.id)
          const name = nameOfRow({ columns, titleOf }, row)
          const [head, ...facts] = shown.filter((column) => !column.isBlank?.(row))
          // A card opens by itself; where a click only picks the row, its detail needs the button.
          const all = (deeds?.(row) ?? []).filter(({ key }) => key !== 'view' || !onOpen || current !== undefined)
          return (
            <li
              key={id}
              data-row-key={id}
              className={`kit-card${arrived?.has(id) ? ' kit-row-new' : ''}${current === id ? ' kit-row-current' : ''}`}
              onClick={() => onOpen?.(row)}
            >
              <header>
                {onChoose && (
                  <span className="kit-card-choose" onClick={(event) => event.stopPropagation()}>
                    <Checkbox
                      checked={ids.has(id)}
                      aria-label={say(words.choose, { name })}
                      onChange={(event) =>
                        onChoose(
                          event.target.checked
                            ? [...(chosen ?? []), row]
                            : (chosen ?? []).filter((one) => String(one.id) !== id),
                        )
                      }
                    />
                  </span>
                )}
                <strong>{head && (head.card ?? head.cell)(row)}</strong>
                {onOpen && (
                  <button
                    type="button"
                    className="kit-card-open"
                    aria-label={say(words.viewOf, { name })}
                    onClick={(event) => {
                      event.stopPropagation()
                      onOpen(row)
                    }}
                  >
                    <Icon name="right" />
                  </button>
                )}
              </header>
              <dl>
                {facts.slice(0, FACTS).map((column) => (
                  <div key={column.key}>
                    <dt>{say(column.label)}</dt>
                    <dd>{(column.card ?? column.cell)(row)}</dd>
                  </div>
                ))}
              </dl>
              {below?.(row)}
              {all.length > 0 && (
                <footer>
                  <RowButtons deeds={all} wide />
                </footer>
              )}
            </li>
          )
        })}
        {sums.length > 0 && (
          <li className="kit-card kit-card-sum">
            <header>
              <strong>{sumText(paging, rows, say)}</strong>
            </header>
            <dl>
              {sums.map(({ key, label: name }) => (
                <div key={key}>
                  <dt>{say(name)}</dt>
                  <dd>{totals[key]}</dd>
                </div>
              ))}
            </dl>
          </li>
        )}
      </ul>
      {paging && <CardPaging {...paging} />}
    </div>
  )
}

function CardPaging(paging: NonNullable<DataTableProps['paging']>) {
  const say = useSay()
  const { current, size, total, onChange } = paging
  const pages = Math.max(1, Math.ceil(total / size))
  const go = (page: number) => {
    onChange(page, size)
    document.querySelector('.kit-cards')?.scrollIntoView({ block: 'start' })
  }
  return (
    <nav className="kit-card-paging">
      <Button size="large" disabled={current <= 1} onClick={() => go(current - 1)}>
        {say(words.previousPage)}
      </Button>
      <span>
        {say(words.pageOf, { current, pages })}
        <br />
        <span className="kit-quiet">{totalText(paging, say)}</span>
      </span>
      <Button size="large" disabled={current >= pages} onClick={() => go(current + 1)}>
        {say(words.nextPage)}
      </Button>
    </nav>
  )
}
