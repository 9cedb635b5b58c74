import type { Words } from '#kit/resource/words.ts'
import { useSay } from '#kit/web/language.tsx'

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
export type PricedWire = {
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

const kinds: Record<BenefitWire['kind'], Words> = {
  vipPrice: { zh: '会员价', en: 'Member price' },
  vipDay: { zh: '会员日', en: 'Member day' },
  campaign: { zh: '本活动', en: 'This campaign' },
  ticket: { zh: '优惠券', en: 'Ticket' },
  points: { zh: '积分', en: 'Points' },
}

/** Why a line costs less. */
export function BenefitText({ benefit }: { benefit: BenefitWire }) {
  const say = useSay()
  return (
    <>
      {benefit.name || say(kinds[benefit.kind])} −¥{benefit.amount}
    </>
  )
}

const reasons: Record<string, Words> = {
  membersOnly: { zh: '仅限会员，这位顾客不是会员', en: 'For members only, and this is none' },
  noGoods: { zh: '篮子里没有适用的商品', en: 'Nothing in the basket it counts for' },
  taken: { zh: '商品已参加优先级更高的活动', en: 'The goods are taken by a campaign of higher priority' },
  threshold: { zh: '还差 {lacking} 元', en: '¥{lacking} are lacking' },
  pieces: { zh: '还差 {lacking} 件', en: '{lacking} more are needed' },
  noGain: { zh: '现价已经更低，不再优惠', en: 'It costs less already' },
  budget: { zh: '预算不够这一单', en: 'The budget does not suffice' },
  limit: { zh: '次数已用完', en: 'No turn is left' },
  member: { zh: '不与会员价同享，会员价更划算', en: 'Does not go with member prices, which are cheaper' },
  oneTicket: { zh: '一单只能用一张券', en: 'One ticket to an order' },
}

/** Why something gave nothing. */
export const missedText = ({ why, lacking }: MissedWire): Words => {
  const { zh, en } = reasons[why] ?? { zh: why, en: why }
  return { zh: zh.replace('{lacking}', String(lacking)), en: en.replace('{lacking}', String(lacking)) }
}
