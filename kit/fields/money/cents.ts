import { formatScaledDecimal, parseScaledDecimal } from '../base/field-kind.ts'

/** Formats cents as the wire and the screen have them: 1250 is "12.50". Everywhere else money is in cents. */
export const formatYuan = (cents: number): string => formatScaledDecimal(cents, 2)

/** Parses an amount such as "12.50" to cents; undefined if it is none. */
export const parseYuanToCents = (given: unknown): number | undefined => parseScaledDecimal(given, 2)

/** Converts an amount of the wire to cents; 0 if it is missing. */
export const wireYuanToCents = (wire: unknown): number => parseYuanToCents(wire) ?? 0

/** Formats cents as yuan without ".00": "12.50", but "12". */
export const formatYuanShort = (cents: number): string => (cents % 100 ? formatYuan(cents) : String(cents / 100))

/** Formats "1234.5" as "1,234.50", from the decimal text without binary fractions. Returns other text unchanged. */
export function formatAmount(wire: unknown): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(wire ?? ''))
  if (!match) return String(wire ?? '')
  const [, sign, whole = '0', fraction = ''] = match
  return `${sign ? '−' : ''}${groupThousands(whole)}.${fraction.padEnd(2, '0').slice(0, 2)}`
}

/** Formats an amount of the wire with the sign of yuan: "¥1,234.50", "−¥2.00". */
export function formatMoney(wire: unknown): string {
  const text = formatAmount(wire)
  return text.startsWith('−') ? `−¥${text.slice(1)}` : `¥${text}`
}

/** Puts a comma before every third digit from the end: "1234567" becomes "1,234,567". */
function groupThousands(digits: string): string {
  const head = digits.slice(0, digits.length % 3)
  const groups = digits.slice(head.length).match(/\d{3}/g) ?? []
  return (head ? [head, ...groups] : groups).join(',')
}
