import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as load, type EChartsType } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { mix } from '#kit/web/colour.ts'
import { useSay } from '#kit/web/language.tsx'
import { usePalette } from '#kit/web/theme.tsx'
import type { RehearsalWire } from './rehearsal.panel.tsx'

load([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, AriaComponent, SVGRenderer])

const words = { cost: { zh: '让利（元）', en: 'Given (yuan)' }, orders: { zh: '享受订单（单）', en: 'Orders it counts in' }, date: { zh: '日期', en: 'Date' } }

/** What would have been given each day, as bars and as a table for those who cannot see them. */
export default function RehearsalChart({ days, label }: { days: RehearsalWire['byDay']; label: string }) {
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
    const quiet = colours.textTertiary
    chart.current?.setOption({
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 44, right: 36, top: 34, bottom: 24 },
      legend: { top: 0, left: 0, itemWidth: 14, itemHeight: 8, textStyle: { color: colours.textSecondary } },
      tooltip: { trigger: 'axis', renderMode: 'richText', backgroundColor: colours.raised, borderColor: mix(colours.card, colours.text, 0.12), textStyle: { color: colours.text, fontSize: 13 } },
      xAxis: { type: 'category', data: days.map(({ date }) => date.slice(5)), axisTick: { show: false }, axisLine: { lineStyle: { color: mix(colours.card, colours.text, 0.18) } }, axisLabel: { color: quiet, hideOverlap: true } },
      yAxis: [
        { type: 'value', splitNumber: 3, axisLabel: { color: quiet }, splitLine: { lineStyle: { color: mix(colours.card, colours.text, 0.07) } } },
        { type: 'value', splitNumber: 3, minInterval: 1, axisLabel: { color: quiet }, splitLine: { show: false } },
      ],
      series: [
        { name: say(words.cost), type: 'bar', data: days.map((day) => Number(day.cost)), itemStyle: { color: colours.raw, borderRadius: [3, 3, 0, 0] }, barMaxWidth: 14 },
        { name: say(words.orders), type: 'line', yAxisIndex: 1, data: days.map((day) => day.hitOrders), symbol: 'none', smooth: 0.3, lineStyle: { width: 2, color: colours.textTertiary }, itemStyle: { color: colours.textTertiary } },
      ],
    })
  }, [days, colours, say])
  return (
    <>
      <div className="rehearsal-chart" aria-hidden ref={box} />
      <table className="kit-hidden">
        <caption>{label}</caption>
        <thead><tr><th scope="col">{say(words.date)}</th><th scope="col">{say(words.cost)}</th><th scope="col">{say(words.orders)}</th></tr></thead>
        <tbody>{days.map((day) => <tr key={day.date}><th scope="row">{day.date}</th><td>{day.cost}</td><td>{day.hitOrders}</td></tr>)}</tbody>
      </table>
    </>
  )
}
