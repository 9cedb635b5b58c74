import { useQueries } from '@tanstack/react-query'
import { formatAmount } from '#kit/fields/money/cents.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { dayTotalsCall, type DayTotal } from '#kit/resource/day-totals.calls.ts'
import { callApi } from '../http/call.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLanguage, useLocalize, type Lang } from '../base/language.tsx'
import { changedTopicOf } from '../../resource/topic.ts'
import { useLiveRefetch } from '../live/live.ts'
import { useThrottled } from '../live/throttle.ts'
import { words } from '../base/page-words.ts'
import { shanghaiDayOf } from '../parts/when-words.ts'

/** Number of rows of a day, with the sum of their amount where the resource has one. */
/** Days of one call, so that those of more rows do not ask about all days anew. */
const DAYS_AT_ONCE = 10
const PACE = { waitMs: 500, everyMs: 5_000 }

/** Returns the totals of the days whose rows are on screen, by day; empty until they are known. */
export function useDayTotals(
  resource: Resource<any, any>,
  params: QueryParams | undefined,
  days: readonly string[],
): ReadonlyMap<string, DayTotal> {
  const requested = days.filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))
  const { ascs: _ascs, descs: _descs, ...filters } = params ?? {}
  const parts = params ? Array.from({ length: Math.ceil(requested.length / DAYS_AT_ONCE) }, (_, at) => at) : []
  const results = useQueries({
    queries: parts.map((at) => {
      const query = { ...filters, days: requested.slice(at * DAYS_AT_ONCE, (at + 1) * DAYS_AT_ONCE).join(',') }
      return {
        queryKey: ['day-totals', resource.name, query],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          callApi(dayTotalsCall, { ...query, resource: resource.name }, { quiet: true, signal }),
      }
    }),
  })
  const later = useThrottled(() => results.forEach((one) => void one.refetch()), PACE)
  useLiveRefetch(changedTopicOf(resource), later)
  return new Map(results.flatMap(({ data }) => data ?? []).map((one) => [one.day, one]))
}

/** Heading of the rows of a day: 11-28 Sat, with their number and sum. */
export function DayHeading({ day, total }: { day: string; total: DayTotal | undefined }) {
  const t = useLocalize()
  const language = useLanguage()
  return (
    <h3 className="kit-list-row-heading">
      <span>{dayName(day, language, t)}</span>
      {total && (
        <span>
          {t(words.total, { total: total.count.toLocaleString('en-US') })}
          {total.sum !== undefined && ` · ${total.label} ¥${formatAmount(total.sum)}`}
        </span>
      )}
    </h3>
  )
}

function dayName(day: string, language: Lang, t: ReturnType<typeof useLocalize>): string {
  const moment = Date.parse(`${day}T00:00:00+08:00`)
  if (Number.isNaN(moment)) return day || '—'
  const date = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: 'Asia/Shanghai',
    weekday: 'short',
    ...(language === 'en' && { day: 'numeric', month: 'short' }),
    ...(!day.startsWith(shanghaiDayOf().slice(0, 4)) && { year: 'numeric' }),
  }).format(moment)
  if (day === shanghaiDayOf()) return `${t(words.today)} ${language === 'zh' ? `${day.slice(5)} ` : ''}${date}`
  return language === 'zh' ? `${day.slice(5)} ${date}` : date
}
