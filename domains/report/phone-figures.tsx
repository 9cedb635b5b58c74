import type { Answer } from '#kit/resource/answer.ts'
import { Change, figureText } from './figures.tsx'
import { FigureCell } from './pivot.tsx'
import type { Family } from './use-report.ts'

type Props = { answer: Answer; family: Family }

/** On a phone: what it comes to in all, then each row with its figures. */
export function PhoneFigures({ answer, family }: Props) {
  const { measures, total, compared } = answer
  return (
    <>
      <dl className="report-totals">
        {measures.map(({ key, label, unit }, at) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              {figureText(total[at], unit)}{' '}
              {compared && <Change now={total[at]} before={compared.total[at]} unit={unit} />}
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
  return (
    <dl>
      {answer.measures.map(({ key, label }, at) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <FigureCell
              answer={answer}
              family={family}
              place={{
                rows: answer.rows[line]!.places,
                columns: [],
                at,
                now: answer.byRow[line]![at],
                before: answer.compared?.byRow[line]![at],
              }}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
