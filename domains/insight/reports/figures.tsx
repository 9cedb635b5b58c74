import type { ReportFigure } from '#kit/resource/answer.ts'
import type { MeasureUnit } from '#kit/resource/index.ts'
import { isShownAsPercentChange } from '#kit/web/parts/change.ts'
import { formatAmount } from '#kit/fields/money/cents.ts'

/** Formats a figure: yuan with two decimals, others with thousands separators; a dash if it is empty. */
export function formatReportFigure(figure: ReportFigure | undefined, unit: MeasureUnit): string {
  if (figure === null || figure === undefined) return '–'
  if (unit === 'yuan') return formatAmount(figure)
  return Number(figure).toLocaleString('en-US', { maximumFractionDigits: 2 })
}

/** Change in per cent; undefined when there was nothing before. */
function changeOf(now: ReportFigure | undefined, before: ReportFigure | undefined): number | undefined {
  const was = Number(before ?? 0)
  if (!was || now === null || now === undefined) return undefined
  return ((Number(now) - was) / Math.abs(was)) * 100
}

type ChangeProps = { now?: ReportFigure; before?: ReportFigure; unit: MeasureUnit; more?: 'good' | 'bad' }

/**
 * Shows the change of a figure such as "+12%", coloured by whether more is good; small counts show the difference
 * instead.
 */
export function ReportFigureChange({ now, before, unit, more }: ChangeProps) {
  const change = changeOf(now, before)
  const was = formatReportFigure(before, unit)
  if (change === undefined) return <small className="kit-quiet report-change">{was}</small>
  const sign = change > 0 ? '+' : change < 0 ? '−' : ''
  const share = `${Math.abs(change).toFixed(Math.abs(change) < 10 ? 1 : 0)}%`
  const isCount = unit === 'pieces'
  const by = formatReportFigure(Math.abs(Number(now) - Number(before)), unit)
  const text = sign + (isShownAsPercentChange(Math.abs(Number(before)), isCount) ? share : by)
  const tone = !more || !change ? 'kit-quiet' : change > 0 === (more === 'good') ? 'report-good' : 'report-bad'
  return (
    <small className={`report-change ${tone}`} data-tip={was}>
      {text}
    </small>
  )
}
