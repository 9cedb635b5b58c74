import { formatAmount } from '#kit/fields/money/cents.ts'
import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as load, type EChartsType } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import type { ChartSeries } from './chart-series.ts'
import { mixColours } from '../theme/colour.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { usePalette } from '../theme/theme.tsx'
import type { ThemePalette } from '../theme/themes.ts'

load([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer])

const QUICK_MS = 180

/** Draws the chart itself; adapts to its box, the theme and the setting for reduced motion. */
export default function ChartDrawing({ labels, lines }: { labels: string[]; lines: ChartSeries[] }) {
  const t = useLocalize()
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
    const hasRight = lines.some((line) => line.isRight)
    const scale = (isRight: boolean) => scaleOf(lines, isRight, colours, t(words.tenThousand))
    chart.current?.setOption(
      {
        ...frameOf(labels, lines, colours),
        yAxis: hasRight ? [scale(false), scale(true)] : scale(false),
        series: lines.map((line) => seriesOf(line, colours)),
      },
      { replaceMerge: ['series', 'yAxis'] },
    )
  }, [labels, lines, colours, t])
  return <div ref={box} className="kit-drawing" />
}

/** Returns the chart options around the lines: legend, tooltip and axes. */
function frameOf(labels: string[], lines: ChartSeries[], colours: ThemePalette) {
  const hasRight = lines.some((line) => line.isRight)
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: QUICK_MS,
    animationDurationUpdate: QUICK_MS,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    grid: { left: 52, right: hasRight ? 40 : 10, top: 34, bottom: 24 },
    legend: {
      top: 0,
      right: 10,
      itemWidth: 14,
      itemHeight: 8,
      textStyle: { color: colours.textSecondary },
      data: lines.map((line) => line.name),
    },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: colours.raised,
      borderColor: mixColours(colours.card, colours.text, 0.12),
      textStyle: { color: colours.text, fontSize: 13 },
    },
    xAxis: {
      type: 'category',
      data: labels,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: mixColours(colours.card, colours.text, 0.18) } },
      axisLabel: { color: colours.textTertiary, hideOverlap: true },
    },
  }
}

function scaleOf(lines: ChartSeries[], isRight: boolean, colours: ThemePalette, unit: string) {
  const own = lines.filter((line) => Boolean(line.isRight) === isRight)
  return {
    type: 'value' as const,
    splitNumber: 3,
    ...(own.every((line) => line.unit === 'pieces') && { minInterval: 1 }),
    axisLabel: { color: colours.textTertiary, formatter: (value: number) => short(value, unit) },
    splitLine: { show: !isRight, lineStyle: { color: mixColours(colours.card, colours.text, 0.07) } },
  }
}

function seriesOf(line: ChartSeries, colours: ThemePalette) {
  const colour = { main: colours.raw, quiet: colours.textTertiary, bad: colours.error }[line.tone]
  const shape =
    line.as === 'bar'
      ? { type: 'bar' as const, barMaxWidth: 18, itemStyle: { color: colour, borderRadius: [3, 3, 0, 0] } }
      : {
          type: 'line' as const,
          symbol: 'none',
          itemStyle: { color: colour },
          ...(line.as === 'steps' ? { step: 'end' as const } : { smooth: 0.3 }),
          lineStyle: {
            width: 2,
            color: colour,
            type: line.as === 'line' && line.tone === 'quiet' ? ('dashed' as const) : ('solid' as const),
          },
        }
  return {
    name: line.name,
    data: line.values,
    yAxisIndex: line.isRight ? 1 : 0,
    tooltip: { valueFormatter: (value: unknown) => inWords(line, value) },
    ...shape,
  }
}

const inWords = ({ unit }: ChartSeries, value: unknown) =>
  value === null || value === undefined
    ? '–'
    : unit === 'yuan'
      ? `¥${formatAmount(Number(value).toFixed(2))}`
      : String(value)

/** Shortens a number for an axis: 12000 becomes "1.2万" or "12k". */
const short = (value: number, unit: string) => {
  const size = unit === '万' ? 10_000 : 1000
  return Math.abs(value) < size ? String(value) : `${Number((value / size).toFixed(1))}${unit}`
}
