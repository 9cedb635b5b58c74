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
import { useHours, type Hour } from './use-home.ts'

load([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer])

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Today's sales by hour as bars, yesterday's as a line behind them, and the same as a table for those who cannot see it. */
export default function HoursChart({ shopId }: { shopId?: string }) {
  const say = useSay()
  const { data } = useHours(shopId)
  const hours = data?.hours
  return (
    <>
      <div className="home-chart" aria-hidden>{hours ? <Drawing hours={hours} /> : <span className="kit-skeleton" />}</div>
      {hours && (
        <table className="kit-hidden">
          <caption>{say(words.hoursTable)}</caption>
          <thead><tr><th scope="col">{say(words.hour)}</th><th scope="col">{say(words.today)}</th><th scope="col">{say(words.yesterday)}</th></tr></thead>
          <tbody>{hours.map((one) => <tr key={one.hour}><th scope="row">{clock(one.hour)}</th><td>{one.sales}</td><td>{one.yesterdaySales}</td></tr>)}</tbody>
        </table>
      )}
    </>
  )
}

function Drawing({ hours }: { hours: Hour[] }) {
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
    const [today, yesterday] = [say(words.today), say(words.yesterday)]
    const quiet = colours.textTertiary
    chart.current?.setOption({
      animation: !calm,
      animationDuration: 180,
      animationDurationUpdate: 180,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 44, right: 10, top: 34, bottom: 24 },
      legend: { top: 0, right: 10, itemWidth: 14, itemHeight: 8, textStyle: { color: colours.textSecondary }, data: [today, yesterday] },
      tooltip: {
        trigger: 'axis', renderMode: 'richText', backgroundColor: colours.raised, borderColor: mix(colours.card, colours.text, 0.12), textStyle: { color: colours.text, fontSize: 13 },
        valueFormatter: (value: unknown) => `¥${amount(Number(value).toFixed(2))}`,
      },
      xAxis: {
        type: 'category', data: hours.map(({ hour }) => clock(hour)), axisTick: { show: false }, axisLine: { lineStyle: { color: mix(colours.card, colours.text, 0.18) } },
        axisLabel: { color: quiet, interval: 3 },
      },
      yAxis: { type: 'value', splitNumber: 3, axisLabel: { color: quiet }, splitLine: { lineStyle: { color: mix(colours.card, colours.text, 0.07) } } },
      series: [
        { name: today, type: 'bar', data: hours.map(({ sales }) => Number(sales)), itemStyle: { color: colours.raw, borderRadius: [3, 3, 0, 0] }, barMaxWidth: 18 },
        { name: yesterday, type: 'line', data: hours.map(({ yesterdaySales }) => Number(yesterdaySales)), smooth: 0.3, symbol: 'none', lineStyle: { width: 2, type: 'dashed', color: quiet }, itemStyle: { color: quiet } },
      ],
    })
  }, [hours, colours, say])
  return <div ref={box} className="home-drawing" />
}
