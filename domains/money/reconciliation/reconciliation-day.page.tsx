import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import { words } from './reconciliation-words.ts'
import './reconciliation.css'

type Row = WireRow<typeof reconciliationDay>

const isZero = (value: unknown) => Number(value) === 0
const SHOWN_MAX = 20

export default createResourcePage(reconciliationDay, {
  intro: words.dayIntro,
  totals: createMoneyTotals(['ours', 'stated', 'moved', 'worth', 'remainder', 'withdrawn']),
  cells: {
    differences: (props: CellProps<Row>) => <CountCell {...props} />,
    remainder: (props: CellProps<Row>) => <RemainderCell {...props} />,
  },
  beside: (row) => <DaySidePanel key={String(row.id)} row={row} />,
})

const CountCell = ({ value, row }: CellProps<Row>) =>
  row.readTime ? (
    <span className={`kit-number ${Number(value) ? 'tally-bad' : ''}`}>{String(value)}</span>
  ) : (
    <span className="kit-quiet">—</span>
  )

const RemainderCell = ({ value }: CellProps<Row>) => (
  <span className={isZero(value) ? undefined : 'tally-bad'}>
    <Money value={value} />
  </span>
)

/** Side panel of a day: books, statement and money moved, with the differences between them. */
function DaySidePanel({ row }: { row: Row }) {
  const t = useLocalize()
  const path = useResourcePath(reconciliationDifference.name)
  const state = !row.readTime
    ? words.unread
    : !isZero(row.remainder)
      ? words.untied
      : isZero(row.worth) && !Number(row.differences)
        ? words.tied
        : words.explained
  return (
    <div className="tally-beside">
      <dl className="tally-legs">
        {(['ours', 'stated', 'moved', 'worth', 'remainder', 'withdrawn'] as const).map((key) => (
          <div key={key}>
            <dt>{t(reconciliationDay.fields[key].label)}</dt>
            <dd>
              <Money value={row[key]} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={state === words.untied ? 'tally-bad' : state === words.unread ? 'kit-quiet' : 'tally-good'}>
        {t(state)}
      </p>
      <Differences row={row} />
      {path && <Link to={`${path}?state=&dayId=${String(row.id)}`}>{t(words.allOfDay)}</Link>}
    </div>
  )
}

type MismatchRow = { id: string; kind: string; state: string; title: string; worth: string }

function Differences({ row }: { row: Row }) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', reconciliationDifference.name, 'ofDay', row.id, row.version, language],
    queryFn: () =>
      apiGet<{ records: MismatchRow[]; total: number }>(
        `${reconciliationDifference.path}/list`,
        { dayId: row.id, size: SHOWN_MAX },
        { quiet: true },
      ),
  })
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 3 }} />
  if (!data.total) return null
  return (
    <section>
      <h3>
        {t(words.differences)} <span className="kit-quiet">{data.total}</span>
      </h3>
      <ul className="tally-steps">
        {data.records.map((one) => (
          <li key={one.id}>
            <span>
              <DictTag code="tally_kind" value={one.kind} /> <DictTag code="tally_state" value={one.state} />
              <small>{one.title}</small>
            </span>
            <span>
              <Money value={one.worth} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
