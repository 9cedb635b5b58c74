import { toHalfWidthText } from '../clean-text.ts'
import { normalizeDatetime } from './days.ts'

const TYPED =
  /^(?:(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{4})(\d{2})(\d{2}))(?:[T\s]\s*(\d{1,2}:\d{1,2}(?::\d{1,2})?))?$/

const two = (part: string) => part.padStart(2, '0')

/**
 * What people type for a day or a moment, as the wire has it: 1992/5/6, 1992年5月6日, 19920506, with a time of day or
 * without; a day alone means its midnight, or with `isEnd` its last second. Undefined where nobody can tell.
 */
export function parseTypedDate(typed: string, hasTime: boolean, isEnd = false): string | undefined {
  const match = TYPED.exec(toHalfWidthText(typed).replaceAll('。', '.'))
  if (!match) return undefined
  const [year, month, date] = match[1] ? match.slice(1, 4) : match.slice(4, 7)
  const day = `${year}-${two(month!)}-${two(date!)}`
  const moment = normalizeDatetime(`${day} ${(match[7] ?? (isEnd ? '23:59:59' : '0:0')).split(':').map(two).join(':')}`)
  return hasTime ? moment : moment && day
}
