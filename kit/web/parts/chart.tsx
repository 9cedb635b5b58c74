import { lazy, Suspense } from 'react'
import './parts.css'

const Drawing = lazy(() => import('./chart.panel.tsx'))

/**
 * One row of figures over the labels: yuan, whole pieces or something measured, `null` where there is nothing to say
 * yet, on a scale of its own if `isRight`.
 */
export type ChartSeries = {
  name: string
  values: (number | null)[]
  as: 'bar' | 'line' | 'steps'
  tone: 'main' | 'quiet' | 'bad'
  unit: 'yuan' | 'pieces' | 'measure'
  isRight?: boolean
}
type ChartProps = { caption: string; axis: string; labels: string[]; lines: ChartSeries[] | undefined }

/**
 * Figures over time: drawn, and as a table for those who cannot see the drawing. Without lines it waits. The library
 * comes with the first chart.
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
