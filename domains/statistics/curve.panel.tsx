import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as load, type EChartsType } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { mix } from '#kit/web/colour.ts'
import { useSay } from '#kit/web/language.tsx'
import { amount } from '#kit/web/money.tsx'
import { usePalette } from '#kit/web/theme.tsx'
import { homeWords as words } from './home-words.ts'

load([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer])

/** One line of figures over the labels of a curve; amounts of yuan. `null` where there is nothing to say yet. */
export type Series = { name: string; values: (number | null)[]; tone: 'main' | 'quiet' | 'bad' }
export type CurveProps = { caption: string; axis: string; labels: string[]; series: Series[] }

/** Amounts over time: the first as bars, the others as lines, and the same as a table for those who cannot see it. */
export default function Curve(props: CurveProps) {
  const { caption, axis, labels, series } = props
  return (
    <>
      <div className="home-chart" aria-hidden><Drawing {...props} /></div>
      <table className="kit-hidden">
        <caption>{caption}</caption>
        <thead><tr><th scope="col">{axis}</th>{series.map((one) => <th key={one.name} scope="col">{one.name}</th>)}</tr></thead>
        <tbody>{labels.map((label, at) => <tr key={label}><th scope="row">{label}</th>{series.map((one) => <td key={one.name}>{one.values[at] === null ? '' : one.values[at]!.toFixed(2)}</td>)}</tr>)}</tbody>
      </table>
    </>
  )
}

function Drawing({ labels, series }: CurveProps) {
  const say = useSay()
  const colours = usePalette()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    const element = box.current!
    const drawn = init(element, undefined, { renderer: 'svg' })
    chart.current = drawn
    const watch = new ResizeObserver(() => element.clientWidth && drawn.resize())
    watch.observe(element)
    return () => {
      watch.disconnect()
      drawn.dispose()
    }
  }, [])
  useEffect(() => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const quiet = colours.textTertiary
    const paint = { main: colours.raw, quiet, bad: colours.error }
    chart.current?.setOption({
      animation: !calm,
      animationDuration: 180,
      animationDurationUpdate: 180,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 52, right: 10, top: 34, bottom: 24 },
      legend: { top: 0, right: 10, itemWidth: 14, itemHeight: 8, textStyle: { color: colours.textSecondary }, data: series.map((one) => one.name) },
      tooltip: {
        trigger: 'axis', renderMode: 'richText', backgroundColor: colours.raised, borderColor: mix(colours.card, colours.text, 0.12), textStyle: { color: colours.text, fontSize: 13 },
        valueFormatter: (value: unknown) => (value === null || value === undefined ? '–' : `¥${amount(Number(value).toFixed(2))}`),
      },
      xAxis: {
        type: 'category', data: labels, axisTick: { show: false }, axisLine: { lineStyle: { color: mix(colours.card, colours.text, 0.18) } },
        axisLabel: { color: quiet, hideOverlap: true },
      },
      yAxis: { type: 'value', splitNumber: 3, axisLabel: { color: quiet, formatter: (value: number) => short(value, say(words.tenThousand)) }, splitLine: { lineStyle: { color: mix(colours.card, colours.text, 0.07) } } },
      series: series.map((one, at) => ({
        name: one.name, data: one.values, itemStyle: { color: paint[one.tone], borderRadius: at ? 0 : [3, 3, 0, 0] },
        ...(at ? { type: 'line', smooth: 0.3, symbol: 'none', lineStyle: { width: 2, type: one.tone === 'quiet' ? 'dashed' : 'solid', color: paint[one.tone] } } : { type: 'bar', barMaxWidth: 18 }),
      })),
    }, { replaceMerge: ['series'] })
  }, [labels, series, colours, say])
  return <div ref={box} className="home-drawing" />
}

/** 12000 as "1.2万" or "12k": the axis has little room. */
const short = (value: number, unit: string) => {
  const [size, sign] = unit === '万' ? [10_000, unit] : [1000, unit]
  return Math.abs(value) < size ? String(value) : `${Number((value / size).toFixed(1))}${sign}`
}
