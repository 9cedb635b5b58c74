import { lazy, Suspense } from 'react'
import type { ChartSeries } from './chart-series.ts'
import './parts.css'

const Drawing = lazy(() => import('./chart.panel.tsx'))

type ChartProps = { caption: string; axis: string; labels: string[]; lines: ChartSeries[] | undefined }

/**
 * Chart over time, also as a hidden table for screen readers. Shows a skeleton while `lines` is undefined. The chart
 * library is loaded with the first chart.
 */
export function Chart({ caption, axis, labels, lines }: ChartProps) {
  const waiting = <span className="kit-skeleton" />
  if (!lines) return <div className="kit-chart">{waiting}</div>
  return (
    <>
      <div className="kit-chart" aria-hidden>
        <Suspense fallback={waiting}>
          <Drawing labels={labels} lines={lines} />
        </Suspense>
      </div>
      {/* A table does not take a height: what is around it is what nobody sees. */}
      <div className="kit-hidden">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{axis}</th>
              {lines.map((line) => (
                <th key={line.name} scope="col">
                  {line.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {lines.map((line) => (
                  <td key={line.name}>{text(line, at)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const text = ({ values, unit }: ChartSeries, at: number) => {
  const value = values[at]
  return value === null || value === undefined ? '' : unit === 'yuan' ? value.toFixed(2) : String(value)
}
