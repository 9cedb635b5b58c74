import { useQuery } from '@tanstack/react-query'
import { DatePicker, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useMemo, useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { epaDevice } from './epa.resource.ts'
import './power.css'
import { epaDeviceUsageCall } from './usage.calls.ts'

const words = {
  usage: { zh: '用电', en: 'Consumption' },
  span: { zh: '按', en: 'By' },
  day: { zh: '日', en: 'Day' },
  month: { zh: '月', en: 'Month' },
  year: { zh: '年', en: 'Year' },
  kwh: { zh: '电量（度）', en: 'Energy (kWh)' },
  cost: { zh: '电费', en: 'Cost' },
  total: { zh: '共 {used} 度', en: '{used} kWh in total' },
  when: { zh: '日期', en: 'Date' },
}

type Span = 'day' | 'month' | 'year'
const SPANS: Span[] = ['day', 'month', 'year']
const pickerOf = { day: 'date', month: 'month', year: 'year' } as const

/** What a device used in a day, a month or a year, and what that cost. */
export default function PowerUsagePanel({ id }: { id: string }) {
  const t = useLocalize()
  const [span, setSpan] = useState<Span>('day')
  // Undefined until the user picks a day: the server then uses today in Shanghai, not in the browser's time zone.
  const [at, setAt] = useState<Dayjs>()
  const day = at?.format('YYYY-MM-DD')

  const { data } = useQuery({
    queryKey: ['detail', epaDevice.name, 'usage', id, span, day],
    queryFn: () => callApi(epaDeviceUsageCall, { id, span, ...(day && { day }) }, { quiet: true }),
  })

  const lines = useMemo(
    (): ChartSeries[] | undefined =>
      data && [
        { name: t(words.kwh), as: 'bar', tone: 'main', unit: 'measure', values: data.used },
        {
          name: t(words.cost),
          as: 'line',
          tone: 'quiet',
          unit: 'yuan',
          isRight: true,
          values: data.cost.map(Number),
        },
      ],
    [data, t],
  )

  return (
    <section className="power-usage">
      <header>
        <h3>{t(words.usage)}</h3>
        <Segmented
          aria-label={t(words.span)}
          value={span}
          onChange={setSpan}
          options={SPANS.map((value) => ({ value, label: t(words[value]) }))}
        />
        <DatePicker
          aria-label={t(words.when)}
          picker={pickerOf[span]}
          allowClear={false}
          value={at ?? (data && dayjs(data.day))}
          onChange={(next) => next && setAt(next)}
        />
      </header>
      {data && (
        <p className="kit-quiet">
          {t(words.total, { used: data.totalUsed })} · <Money value={data.totalCost} />
        </p>
      )}
      <Chart caption={t(words.usage)} axis={t(words[span])} labels={data?.parts ?? []} lines={lines} />
    </section>
  )
}
