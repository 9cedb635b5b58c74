import type { ReportResult } from '#kit/resource/answer.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ReportFigureChange, formatReportFigure } from './figures.tsx'
import { PivotFigureCell } from './pivot.tsx'
import { words } from './report-words.ts'
import type { ReportableResource } from './use-report.ts'

type Props = { answer: ReportResult; family: ReportableResource }

/** Report on a phone: the totals, then each row with its figures, by column if there are columns. */
export function ReportFiguresOnPhone({ answer, family }: Props) {
  const { measures, total, compared } = answer
  return (
    <>
      <dl className="report-totals">
        {measures.map(({ key, label, unit, more }, at) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              {formatReportFigure(total[at], unit)}{' '}
              {compared && <ReportFigureChange now={total[at]} before={compared.total[at]} unit={unit} more={more} />}
            </dd>
          </div>
        ))}
      </dl>
      {answer.rowHeads.length > 0 && (
        <ul className="report-lines">
          {answer.rows.map((row, line) => (
            <li key={row.places.join('/')}>
              <strong>{row.words.join(' · ')}</strong>
              <Figures answer={answer} family={family} line={line} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Figures({ answer, family, line }: Props & { line: number }) {
  const t = useLocalize()
  const { measures, columns, compared, rows } = answer
  const many = measures.length
  // Empty column values are left out, as a phone has little space.
  const ofColumns = columns.flatMap(({ places, words: labels }, column) =>
    measures.flatMap(({ label }, at) => {
      const cell = column * many + at
      const [now, before] = [answer.cells[line]?.[cell], compared?.cells[line]?.[cell]]
      const title = many > 1 ? `${labels.join(' · ')} · ${label}` : labels.join(' · ')
      return (now ?? before ?? null) === null ? [] : [{ title, columns: places, at, now, before }]
    }),
  )
  const isWide = answer.columnHeads.length > 0
  const inAll = measures.map(({ label }, at) => ({
    title: isWide ? `${t(words.total)} · ${label}` : label,
    columns: [],
    at,
    now: answer.byRow[line]![at],
    before: compared?.byRow[line]![at],
  }))
  return (
    <dl>
      {[...(isWide ? ofColumns : []), ...inAll].map(({ title, ...place }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <PivotFigureCell answer={answer} family={family} place={{ rows: rows[line]!.places, ...place }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
