import { useMemo } from 'react'
import type { ReportResult } from '#kit/resource/answer.ts'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from './report-words.ts'

const LABELS_MAX = 62

/** Chart of the row totals of the first two figures, with the earlier values of the first one. */
export function ReportChart({ answer }: { answer: ReportResult }) {
  const t = useLocalize()
  const { chart } = answer.question
  const lines = useMemo(() => linesOf(answer, t(words.before)), [answer, t])
  const labels = useMemo(
    () => answer.rows.slice(0, LABELS_MAX).map(({ words: rowLabels }) => rowLabels.join(' · ')),
    [answer],
  )
  if (!chart || !answer.rowHeads.length || !answer.rows.length) return null
  return (
    <section className="report-card report-chart">
      <Chart caption={answer.label} axis={answer.rowHeads.join(' · ')} labels={labels} lines={lines} />
    </section>
  )
}

function linesOf(answer: ReportResult, before: string): ChartSeries[] {
  const values = (at: number, all: Pick<ReportResult, 'byRow'>) =>
    all.byRow.slice(0, LABELS_MAX).map((row) => (row[at] === null || row[at] === undefined ? null : Number(row[at])))
  const [first, second] = answer.measures
  const as = answer.question.chart === 'line' ? 'line' : 'bar'
  const { label: name, unit } = first!
  const lines: ChartSeries[] = [{ name, as, tone: 'main', unit, values: values(0, answer) }]
  if (answer.compared)
    lines.push({ name: `${name} · ${before}`, as: 'line', tone: 'quiet', unit, values: values(0, answer.compared) })
  else if (second)
    lines.push({
      name: second.label,
      as: 'line',
      tone: 'quiet',
      unit: second.unit,
      isRight: second.unit !== unit,
      values: values(1, answer),
    })
  return lines
}
