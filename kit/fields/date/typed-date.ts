import { toHalfWidthText } from '../base/clean-text.ts'
import { normalizeDatetime } from './days.ts'

const TYPED =
  /^(?:(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{4})(\d{2})(\d{2}))(?:[T\s]\s*(\d{1,2}:\d{1,2}(?::\d{1,2})?))?$/

const two = (part: string) => part.padStart(2, '0')

/**
 * Converts a typed day or time to the wire's format: 1992/5/6, 1992年5月6日, 19920506, with or without a time of day. A
 * day alone becomes its midnight, or its last second with `isEnd`. Returns undefined if the text is no date.
 */
export function parseTypedDate(typed: string, hasTime: boolean, isEnd = false): string | undefined {
  const match = TYPED.exec(toHalfWidthText(typed).replaceAll('。', '.'))
  if (!match) return undefined
  const [year, month, date] = match[1] ? match.slice(1, 4) : match.slice(4, 7)
  const day = `${year}-${two(month!)}-${two(date!)}`
  const moment = normalizeDatetime(`${day} ${(match[7] ?? (isEnd ? '23:59:59' : '0:0')).split(':').map(two).join(':')}`)
  return hasTime ? moment : moment && day
}
