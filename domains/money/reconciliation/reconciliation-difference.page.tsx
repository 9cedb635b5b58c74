import { Segmented } from 'antd'
import { Link } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { STATEMENT_DIFFERENCE_STATE, OPEN_DIFFERENCE_STATES } from './dictionaries.ts'
import { RESOLUTIONS, findDifferenceKind } from './kinds.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import { words } from './reconciliation-words.ts'
import './reconciliation.css'

type Row = WireRow<typeof reconciliationDifference>

const OPEN = OPEN_DIFFERENCE_STATES.join(',')
const OVER = [
  STATEMENT_DIFFERENCE_STATE.settled,
  STATEMENT_DIFFERENCE_STATE.accepted,
  STATEMENT_DIFFERENCE_STATE.explained,
].join(',')

export default createResourcePage(reconciliationDifference, {
  intro: words.differenceIntro,
  start: { state: OPEN },
  totals: createMoneyTotals(['worth']),
  head: (list) => <States list={list} />,
  beside: (row) => <DifferenceSidePanel key={String(row.id)} row={row} />,
})

function States({ list }: { list: Pick<ResourceList, 'state' | 'set'> }) {
  const t = useLocalize()
  const options = [
    { value: OPEN, label: t(words.unsettled) },
    { value: OVER, label: t(words.over) },
    { value: '', label: t(words.all) },
  ]
  return (
    <Segmented
      className="tally-states"
      value={list.state.filters.state ?? ''}
      aria-label={t(reconciliationDifference.fields.state.label)}
      onChange={(state) => list.set((before) => withListFilters(before, { state }))}
      options={options}
    />
  )
}

/** Side panel of a difference: its meaning, the action that resolves it and the effect. */
function DifferenceSidePanel({ row }: { row: Row }) {
  const t = useLocalize()
  const kind = findDifferenceKind(String(row.kind))
  const resolution = kind?.deed && RESOLUTIONS[kind.deed]
  return (
    <div className="tally-beside">
      {kind && <p>{t(kind.means)}</p>}
      <dl className="tally-legs">
        {(['ours', 'theirs', 'worth'] as const).map((key) => (
          <div key={key}>
            <dt>{t(words[key])}</dt>
            <dd>
              <Money value={row[key]} />
            </dd>
          </div>
        ))}
      </dl>
      {resolution ? (
        <section className="tally-deed">
          <h3>{t(words.toDo)}</h3>
          <strong>{t(resolution.does)}</strong>
          <span className="kit-quiet">
            {t(words.after)}：{t(resolution.effect)}
          </span>
        </section>
      ) : (
        <p className="kit-quiet">{t(words.nothingToDo)}</p>
      )}
      {row.orderId && String(row.orderId) !== '-1' && (
        <Link to={`/merchant/tallyWay/${String(row.orderId)}`}>{t(words.way)}</Link>
      )}
    </div>
  )
}
