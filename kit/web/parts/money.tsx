import { formatAmount } from '#kit/fields/money/cents.ts'

/** Shows an amount in yuan, given as the wire's decimal text: ¥1,234.50. */
export function Money({ value }: { value: unknown }) {
  const text = formatAmount(value)
  return <span className="kit-number">{text.startsWith('−') ? `−¥${text.slice(1)}` : `¥${text}`}</span>
}
