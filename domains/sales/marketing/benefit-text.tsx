import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'

type BenefitWire = {
  kind: 'vipPrice' | 'vipDay' | 'campaign' | 'ticket' | 'points'
  refId: string
  name: string
  amount: string
}
type MissedWire = {
  kind: 'campaign' | 'ticket'
  refId: string
  name: string
  why: string
  lacking: string | number
}
export type PricedBasketWire = {
  goodsAmount: string
  vipAmount: string
  campaignAmount: string
  payAmount: string
  lines: {
    upc: string
    name: string
    price: string
    quantity: number
    discount: string
    amount: string
    benefits: BenefitWire[]
  }[]
  missed: MissedWire[]
}

const kinds: Record<BenefitWire['kind'], LocalizedText> = {
  vipPrice: { zh: '会员价', en: 'Member price' },
  vipDay: { zh: '会员日', en: 'Member day' },
  campaign: { zh: '本活动', en: 'This promotion' },
  ticket: { zh: '优惠券', en: 'Coupon' },
  points: { zh: '积分', en: 'Points' },
}

/** Shows a reduction of a line: its name and amount. */
export function BenefitText({ benefit }: { benefit: BenefitWire }) {
  const t = useLocalize()
  return (
    <>
      {benefit.name || t(kinds[benefit.kind])} −¥{benefit.amount}
    </>
  )
}

const reasons: Record<string, LocalizedText> = {
  membersOnly: { zh: '仅限会员，这位顾客不是会员', en: 'Members only. This customer is not a member.' },
  noGoods: { zh: '篮子里没有适用的商品', en: 'No eligible products in the cart' },
  taken: { zh: '商品已参加优先级更高的活动', en: 'The products are already in a promotion with higher priority' },
  threshold: { zh: '还差 {lacking} 元', en: '¥{lacking} more needed' },
  pieces: { zh: '还差 {lacking} 件', en: '{lacking} more are needed' },
  noGain: { zh: '现价已经更低，不再优惠', en: 'The current price is already lower' },
  budget: { zh: '预算不够这一单', en: 'The remaining budget does not cover this order' },
  limit: { zh: '次数已用完', en: 'The usage limit was reached' },
  member: { zh: '不与会员价同享，会员价更划算', en: 'Cannot be combined with member prices, which are better' },
  oneTicket: { zh: '一单只能用一张券', en: 'One coupon per order' },
}

/** Returns the text that says why an offer took nothing off. */
export const missedOfferText = ({ why, lacking }: MissedWire): LocalizedText => {
  const { zh, en } = reasons[why] ?? { zh: why, en: why }
  return { zh: zh.replace('{lacking}', String(lacking)), en: en.replace('{lacking}', String(lacking)) }
}
