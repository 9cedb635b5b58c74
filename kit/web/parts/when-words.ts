import type { Lang } from '#kit/resource/localized-text.ts'

/** Milliseconds of a wire time, which is Asia/Shanghai's clock whatever the reader's is. */
const momentOf = (wire: string): number => Date.parse(`${wire.slice(0, 10)}T${wire.slice(11) || '00:00:00'}+08:00`)

/** A moment of this machine, this one unless said, as the wire says it. */
export const formatWireTime = (moment = Date.now()): string =>
  new Date(moment + 8 * 3600e3).toISOString().slice(0, 19).replace('T', ' ')

/** The day of a moment, today unless said, in Asia/Shanghai, where all shops keep their clocks. */
export const shanghaiDayOf = (moment = Date.now()): string => formatWireTime(moment).slice(0, 10)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "3 分钟前", "2 h ago"; further away than a week it is the day, without the year when it is this year's. */
export function formatRelativeTime(wire: string, lang: Lang, now = Date.now()): string {
  const moment = momentOf(wire)
  if (Number.isNaN(moment)) return wire
  const past = now - moment
  const away = Math.abs(past)
  if (away >= 7 * DAY) {
    const year = new Date(now + 8 * HOUR).getUTCFullYear()
    return wire.startsWith(String(year)) ? wire.slice(5, 16) : wire.slice(0, 10)
  }
  // Clocks differ by seconds: what is about now is now.
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
