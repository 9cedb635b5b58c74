import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useNow } from '#kit/web/parts/relative-time.tsx'
import './stock.css'

const words = {
  gone: { zh: '{date} 已过期', en: 'expired {date}' },
  today: { zh: '今天到期', en: 'expires today' },
  soon: { zh: '{date} 到期，还有 {days} 天', en: 'expires {date}, {days} {days|day|days} left' },
  later: { zh: '{date} 到期', en: 'expires {date}' },
}

const SOON_DAYS = 7
const DAY = 86_400_000
const SHANGHAI = 8 * 3_600_000

/** Whole days from today (Shanghai time) until a date; negative for past dates. */
const daysUntil = (date: string, now: number) =>
  Math.round((Date.parse(`${date}T00:00:00Z`) - Math.floor((now + SHANGHAI) / DAY) * DAY) / DAY)

/** An expiry date with a warning when it is near or past. */
export function ExpiryText({ date }: { date: string }) {
  const t = useLocalize()
  const days = daysUntil(date.slice(0, 10), useNow())
  if (days < 0)
    return (
      <span className="goods-low">
        <Icon name="close-circle" />
        {t(words.gone, { date })}
      </span>
    )
  if (days <= SOON_DAYS)
    return (
      <span className="goods-soon">
        <Icon name="clock-circle" />
        {t(days ? words.soon : words.today, { date, days })}
      </span>
    )
  return <span className="kit-number">{t(words.later, { date })}</span>
}

/** A short `ExpiryText` for table cells; a dash for goods without expiry date. */
export function ExpiryCell({ date }: { date: string }) {
  const t = useLocalize()
  const days = daysUntil(date.slice(0, 10), useNow())
  if (!date) return <span className="kit-quiet">—</span>
  const tone = days < 0 ? 'goods-low' : days <= SOON_DAYS ? 'goods-soon' : undefined
  return (
    <span
      className={`kit-number ${tone ?? ''}`}
      data-tip={tone && t(days < 0 ? words.gone : days ? words.soon : words.today, { date, days })}
    >
      {tone && <Icon name={days < 0 ? 'close-circle' : 'clock-circle'} />}
      {date}
    </span>
  )
}
