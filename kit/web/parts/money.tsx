import { formatMoney } from '#kit/fields/money/cents.ts'

/** Shows an amount in yuan, given as the wire's decimal text: ¥1,234.50. */
export function Money({ value }: { value: unknown }) {
  return <span className="kit-number">{formatMoney(value)}</span>
}
