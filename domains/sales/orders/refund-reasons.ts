import type { LocalizedText } from '#kit/resource/index.ts'

/** A reason people give most, and whether the goods can be sold again then. */
type RefundReason = { label: LocalizedText; restock: boolean }

export const refundReasons: readonly RefundReason[] = [
  { label: { zh: '拿错商品', en: 'Wrong product taken' }, restock: true },
  { label: { zh: '商品过期', en: 'Product expired' }, restock: false },
  { label: { zh: '商品破损', en: 'Product damaged' }, restock: false },
  { label: { zh: '重复付款', en: 'Duplicate payment' }, restock: true },
  // The customer keeps what cost too much.
  { label: { zh: '价格有误', en: 'Wrong price' }, restock: false },
]

/** Words of goods nobody may buy any more, in what people write themselves. */
const SPOILT = new RegExp(
  [
    '过了?期|保质期|不新鲜|变质|变味|异味|发霉|胀包|质量|破损|损坏|坏了|摔坏|摔碎|打碎|破碎|碎了|破裂|开裂|渗漏|漏(气|水|液|油|了)',
    '(?<!未|没|没有|不曾)(开封|拆封|打开|拆开)',
    'expired?\\b|out of date|past (its|the) date|not ' +
      'fresh|broken|damaged|spoil(ed|t)|mou?ldy|\\bleak(s|y|ed|ing)?\\b|\\bcracked\\b|gone (bad|off)|faulty',
    '(?<!un|not |never )opened',
  ].join('|'),
  'i',
)

/**
 * Whether goods refunded for such a reason may go back on the shelf. Whoever has them in hand may say otherwise.
 */
export function isRestockableRefundReason(reason: string): boolean {
  const given = reason.trim()
  const known = refundReasons.find(({ label }) => label.zh === given || label.en.toLowerCase() === given.toLowerCase())
  return known ? known.restock : !isSpoiltRefundReason(given)
}

/** Whether goods of an order that was never handed over are spoilt all the same. */
export const isSpoiltRefundReason = (reason: string): boolean => SPOILT.test(reason)
