import { formatYuanShort } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/resource/index.ts'

/** What a ticket is worth, in a sentence; amounts in cents, the rate in per cent still paid. */
export function couponPromiseText({
  type,
  amount,
  rate,
  cap,
  threshold,
}: {
  type: string | null
  amount: number | null
  rate: number | null
  cap: number | null
  threshold: number | null
}): LocalizedText {
  const from = threshold
    ? { zh: `满 ${formatYuanShort(threshold)} `, en: ` from ¥${formatYuanShort(threshold)}` }
    : { zh: '', en: '' }
  const most = cap
    ? { zh: `，最多减 ${formatYuanShort(cap)}`, en: `, at most ¥${formatYuanShort(cap)}` }
    : { zh: '', en: '' }
  return type === 'rate'
    ? { zh: `${from.zh}打 ${(rate ?? 100) / 10} 折${most.zh}`, en: `${100 - (rate ?? 100)}% off${from.en}${most.en}` }
    : {
        zh: `${threshold ? `${from.zh}减 ` : '立减 '}${formatYuanShort(amount ?? 0)}${most.zh}`,
        en: `¥${formatYuanShort(amount ?? 0)} off${from.en}${most.en}`,
      }
}
