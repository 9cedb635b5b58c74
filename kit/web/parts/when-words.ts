import type { Lang } from '#kit/base/localized-text.ts'

/** Returns the milliseconds since 1970 of a wire time, which is in Asia/Shanghai whatever the user's time zone. */
const momentOf = (wire: string): number => Date.parse(`${wire.slice(0, 10)}T${wire.slice(11) || '00:00:00'}+08:00`)

/** Formats a time (now by default) as the wire does, in Asia/Shanghai. */
export const formatWireTime = (moment = Date.now()): string =>
  new Date(moment + 8 * 3600e3).toISOString().slice(0, 19).replace('T', ' ')

/** Returns the day of a time (now by default) in Asia/Shanghai, the time zone of all shops. */
export const shanghaiDayOf = (moment = Date.now()): string => formatWireTime(moment).slice(0, 10)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Returns a wire time relative to now: "3 分钟前", "2 h ago". From a week on it is the date, within this year without the
 * year but with the time of day.
 */
export function formatRelativeTime(wire: string, lang: Lang, now = Date.now()): string {
  const moment = momentOf(wire)
  if (Number.isNaN(moment)) return wire
  const past = now - moment
  const away = Math.abs(past)
  if (away >= 7 * DAY) {
    const year = new Date(now + 8 * HOUR).getUTCFullYear()
    return wire.startsWith(String(year)) ? wire.slice(5, 16) : wire.slice(0, 10)
  }
  // Clocks differ by seconds, so anything within a minute is "just now".
  if (away < MINUTE) return lang === 'zh' ? '刚刚' : 'just now'
  const [count, zh, en] =
    away < HOUR
      ? [Math.floor(away / MINUTE), '分钟', 'min']
      : away < DAY
        ? [Math.floor(away / HOUR), '小时', 'h']
        : [Math.floor(away / DAY), '天', Math.floor(away / DAY) === 1 ? 'day' : 'days']
  if (lang === 'zh') return `${count} ${zh}${past < 0 ? '后' : '前'}`
  return past < 0 ? `in ${count} ${en}` : `${count} ${en} ago`
}
