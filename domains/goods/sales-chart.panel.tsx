import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as load, type EChartsType } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { mix } from '#kit/web/colour.ts'
import { useSay } from '#kit/web/language.tsx'
import { usePalette } from '#kit/web/theme.tsx'
import type { SoldDay } from './use-sales.ts'

load([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer])

const words = {
  sold: { zh: '售出', en: 'Sold' },
  stock: { zh: '日终库存', en: 'Stock in the evening' },
  date: { zh: '日期', en: 'Date' },
}

/** Pieces sold each day as bars, the stock each evening left as a line, and the same as a table for those who cannot see it. */
export default function SalesChart({ days, label }: { days: SoldDay[], label: string }) {
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
    const [sold, stock] = [say(words.sold), say(words.stock)]
    const quiet = colours.textTertiary
    const axis = { type: 'value', splitNumber: 3, minInterval: 1, axisLabel: { color: quiet } } as const
    chart.current?.setOption({
      animation: !calm, animationDuration: 180, animationDurationUpdate: 180,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 36, right: 36, top: 34, bottom: 24 },
      legend: { top: 0, right: 10, itemWidth: 14, itemHeight: 8, textStyle: { color: colours.textSecondary }, data: [sold, stock] },
      tooltip: { trigger: 'axis', renderMode: 'richText', backgroundColor: colours.raised, borderColor: mix(colours.card, colours.text, 0.12), textStyle: { color: colours.text, fontSize: 13 } },
      xAxis: { type: 'category', data: days.map(({ date }) => date.slice(5)), axisTick: { show: false }, axisLine: { lineStyle: { color: mix(colours.card, colours.text, 0.18) } }, axisLabel: { color: quiet } },
      yAxis: [{ ...axis, splitLine: { lineStyle: { color: mix(colours.card, colours.text, 0.07) } } }, { ...axis, splitLine: { show: false } }],
      series: [
        { name: sold, type: 'bar', data: days.map((day) => day.sold), itemStyle: { color: colours.raw, borderRadius: [3, 3, 0, 0] }, barMaxWidth: 16 },
        { name: stock, type: 'line', yAxisIndex: 1, step: 'end', symbol: 'none', data: days.map((day) => day.stock), lineStyle: { width: 2, color: quiet }, itemStyle: { color: quiet } },
      ],
    })
  }, [days, colours, say])
  return (
    <>
      <div className="goods-chart" aria-hidden ref={box} />
      <table className="kit-hidden">
        <caption>{label}</caption>
        <thead><tr><th scope="col">{say(words.date)}</th><th scope="col">{say(words.sold)}</th><th scope="col">{say(words.stock)}</th></tr></thead>
        <tbody>{days.map((day) => <tr key={day.date}><th scope="row">{day.date}</th><td>{day.sold}</td><td>{day.stock}</td></tr>)}</tbody>
      </table>
    </>
  )
}
