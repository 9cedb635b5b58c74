import type { LocalizedText } from '#kit/resource/index.ts'

/** A usual reason, and whether the products can be sold again. */
type RefundReason = { label: LocalizedText; restock: boolean }

export const refundReasons: readonly RefundReason[] = [
  { label: { zh: '拿错商品', en: 'Wrong product taken' }, restock: true },
  { label: { zh: '商品过期', en: 'Product expired' }, restock: false },
  { label: { zh: '商品破损', en: 'Product damaged' }, restock: false },
  { label: { zh: '重复付款', en: 'Duplicate payment' }, restock: true },
  // The customer keeps the product and gets the difference back.
  { label: { zh: '价格有误', en: 'Wrong price' }, restock: false },
]

/** Words in a free-text reason that mean the products cannot be sold again. */
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

/** Whether products refunded for this reason may go back into stock by default. */
export function isRestockableRefundReason(reason: string): boolean {
  const given = reason.trim()
  const known = refundReasons.find(({ label }) => label.zh === given || label.en.toLowerCase() === given.toLowerCase())
  return known ? known.restock : !isSpoiltRefundReason(given)
}

/** Whether a reason means spoilt products, also for an order that was never handed over. */
export const isSpoiltRefundReason = (reason: string): boolean => SPOILT.test(reason)
