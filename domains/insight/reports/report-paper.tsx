import { createPortal } from 'react-dom'
import type { ReportResult, ReportFigure } from '#kit/resource/answer.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useTab } from '#kit/web/base/tab.ts'
import { formatReportFigure } from './figures.tsx'
import { words } from './report-words.ts'

type Props = { answer: ReportResult; title: string; footer?: string; paper: 'portrait' | 'landscape' }

/**
 * A report on A4 that is only visible in print. The head repeats on each page; the browser numbers the pages (`@page`
 * in report.css).
 */
export function PrintedReport({ answer, title, footer, paper }: Props) {
  const t = useLocalize()
  // Other tabs stay mounted, but only the active one is printed.
  const { active } = useTab()
  if (!active) return null
  return createPortal(
    <article className="report-paper" data-paper={paper}>
      <header>
        <h1>{title}</h1>
        <p>
          {answer.days && t(words.days, answer.days)}
          {answer.before && ` · ${t(words.comparedDays, answer.before)}`}
          {` · ${t(words.asOf, { time: answer.time.slice(0, 16) })}`}
        </p>
      </header>
      <PaperTable answer={answer} />
      {footer && <footer>{footer}</footer>}
    </article>,
    document.body,
  )
}

function PaperTable({ answer }: { answer: ReportResult }) {
  const t = useLocalize()
  const { compared } = answer
  const total = [t(words.total), ...answer.rowHeads.slice(1).map(() => '')]
  return (
    <table>
      <PaperHead answer={answer} />
      <tbody>
        {answer.rows.map(({ places, words: labels }, at) => (
          <PaperLine
            key={places.join('/')}
            answer={answer}
            said={labels}
            now={[answer.cells[at]!, answer.byRow[at]!]}
            before={compared && [compared.cells[at]!, compared.byRow[at]!]}
          />
        ))}
        {answer.rowHeads.length > 0 && (
          <PaperLine
            answer={answer}
            said={total}
            now={[answer.byColumn, answer.total]}
            before={compared && [compared.byColumn, compared.total]}
          />
        )}
      </tbody>
    </table>
  )
}

function PaperHead({ answer }: { answer: ReportResult }) {
  const t = useLocalize()
  const { measures, columns } = answer
  const isWide = answer.columnHeads.length > 0
  const sides = [...columns.map(({ words: labels }) => labels.join(' · ')), ...(isWide ? [t(words.total)] : [])]
  return (
    <thead>
      {isWide && (
        <tr>
          <td colSpan={answer.rowHeads.length} />
          {sides.map((text) => (
            <th key={text} colSpan={measures.length} scope="colgroup">
              {text}
            </th>
          ))}
        </tr>
      )}
      <tr>
        {answer.rowHeads.map((text) => (
          <th key={text} scope="col">
            {text}
          </th>
        ))}
        {sides.flatMap((side) =>
          measures.map(({ key, label }) => (
            <th key={`${side}/${key}`} scope="col">
              {label}
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

type Side = [cells: ReportFigure[], own: ReportFigure[]]
type LineProps = { answer: ReportResult; said: readonly string[]; now: Side; before?: Side }

/** One row of figures, each with its earlier value below. */
function PaperLine({ answer, said, now, before }: LineProps) {
  const { measures } = answer
  const isWide = answer.columnHeads.length > 0
  const texts = ([cells, own]: Side) =>
    [...cells, ...(isWide ? own : [])].map((figure, at) =>
      formatReportFigure(figure, measures[at % measures.length]!.unit),
    )
  const was = before && texts(before)
  return (
    <tr>
      {said.map((text, at) => (
        <th key={at} scope="row">
          {text}
        </th>
      ))}
      {texts(now).map((text, at) => (
        <td key={at}>
          {text}
          {was && <small>{was[at]}</small>}
        </td>
      ))}
    </tr>
  )
}
