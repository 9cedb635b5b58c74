/** Formats "1234.5" as "1,234.50", from the decimal text without binary fractions. Returns other text unchanged. */
export function formatAmount(wire: unknown): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(wire ?? ''))
  if (!match) return String(wire ?? '')
  const [, sign, whole = '0', fraction = ''] = match
  return `${sign ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0').slice(0, 2)}`
}

/** Shows an amount in yuan, given as the wire's decimal text: ¥1,234.50. */
export function Money({ value }: { value: unknown }) {
  const text = formatAmount(value)
  return <span className="kit-number">{text.startsWith('−') ? `−¥${text.slice(1)}` : `¥${text}`}</span>
}
