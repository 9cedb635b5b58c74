import { formatYuan } from '#kit/fields/money/cents.ts'
import { areReferenceableRows } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { f, type Fields, type FieldValueOf } from '#kit/resource/index.ts'
import { goodInfo, BarcodeMap } from '#domains/catalogue/products/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { findMemberPrices } from '#domains/sales/customers/api.ts'
import { findBarcodesOfGoods } from './barcodes-of.ts'
import { eligibleGoodsRoute } from './campaign-goods.server.ts'
import { requireCampaignRule } from './campaign.server.ts'
import { discountConf } from './discount-conf.resource.ts'
import { findGoodsByUpc, findRunningCampaigns } from './offers.ts'
import type { CampaignOffer, PricedBasket } from './basket.ts'
import { priceBasketWithoutBlocking } from './price-in-turns.ts'
import { PIECES_MAX } from './pricing.ts'
import { parseQuoteLines } from './wanted.ts'

/** A priced basket as the wire carries it. */
export const pricedBasketToWire = (priced: PricedBasket) => ({
  quantity: priced.quantity,
  goodsAmount: formatYuan(priced.goodsAmount),
  vipAmount: formatYuan(priced.vipAmount),
  campaignAmount: formatYuan(priced.campaignAmount),
  ticketAmount: formatYuan(priced.ticketAmount),
  pointsAmount: formatYuan(priced.pointsAmount),
  points: priced.points,
  payAmount: formatYuan(priced.payAmount),
  lines: priced.lines.map(({ upc, name, price, quantity, discount, amount, benefits }) => ({
    upc,
    name,
    price: formatYuan(price),
    quantity,
    discount: formatYuan(discount),
    amount: formatYuan(amount),
    benefits: benefits.map((one) => ({ ...one, refId: one.refId ?? '', amount: formatYuan(one.amount) })),
  })),
  missed: priced.missed.map(({ lacking, why, ...one }) => ({
    ...one,
    why,
    lacking: lacking === undefined ? '' : why === 'threshold' ? formatYuan(lacking) : lacking,
  })),
})

const { type, rules, goodIds, goodTypeIds, membersOnly, stackable, withVip, withTicket, priority } = discountConf.fields

const previewFields = {
  shopId: f.ref('basicShopInfo', { label: basicShopInfo.label, required: true }),
  lines: f.json({
    label: { zh: '商品', en: 'Products' },
    required: true,
    help: { zh: '[{upc, quantity}]', en: '[{upc, quantity}]' },
  }),
  isMember: f.boolean({ label: { zh: '会员', en: 'Member' } }),
  withOthers: f.boolean({ label: { zh: '与进行中的活动一起', en: 'Combine with active promotions' } }),
  type: { ...type, required: true, search: undefined },
  rules,
  goodIds: f.refs('goodInfo', { label: goodIds.label }),
  goodTypeIds: f.refs('goodType', { label: goodTypeIds.label }),
  membersOnly: f.boolean({ label: membersOnly.label }),
  stackable: f.boolean({ label: stackable.label }),
  withVip: f.boolean({ label: withVip.label }),
  withTicket: f.boolean({ label: withTicket.label }),
  priority: f.number({ label: priority.label, min: 0, max: 999 }),
} satisfies Fields
type PricePreviewCall = Call<{ [K in keyof typeof previewFields]: FieldValueOf<(typeof previewFields)[K]> }>

export const marketingRoutes = [
  eligibleGoodsRoute,
  defineRoute({
    method: 'POST',
    path: '/api/shop/discountConf/preview',
    title: { zh: '试算购物车', en: 'Quote sample cart' },
    can: ['discountConf_add', 'discountConf_edit'],
    log: false,
    input: previewFields,
    handle: previewed,
  }),
]

async function previewed(call: PricePreviewCall) {
  const { input, db } = call
  const rule = requireCampaignRule(input.type, input.rules)
  if (!(await areReferenceableRows(call, basicShopInfo, [input.shopId])))
    throw invalidFieldRefusal({ fields: { shopId: discountConf.fields.shopIds } }, 'shopId', 'not_found')
  const wanted = parseQuoteLines(input.lines)
  const goods = await knownGoods(call, wanted)
  const draft = await draftOf(call, rule)
  const moment = formatShanghaiTime(call.services.now())
  const others = input.withOthers ? await findRunningCampaigns(db, input.shopId, [], moment) : []
  const vip = input.isMember
    ? await findMemberPrices(
        db,
        input.shopId,
        [...goods.values()].map((good) => good.id),
        moment,
      )
    : undefined
  const basket = wanted.map(({ upc, quantity }) => {
    const good = goods.get(upc)!
    const price = vip?.get(good.id)
    return {
      upc,
      goodId: good.id,
      name: good.name,
      price: good.salePrice,
      quantity,
      typeIds: good.typeIds,
      member: price ? { price: price.price, refId: price.vipPriceId } : null,
    }
  })
  return pricedBasketToWire(
    await priceBasketWithoutBlocking(basket, {
      ...(input.isMember ? { member: { levelId: '0', name: '', rate: 10_000 } } : {}),
      campaigns: [...others, draft],
      tickets: [],
      ticketChoice: 'all',
    }),
  )
}

/** Returns the shop's products of a basket by barcode. Refuses unknown ones and ones the caller may not see. */
async function knownGoods(call: PricePreviewCall, wanted: ReturnType<typeof parseQuoteLines>) {
  const upcs = wanted.map((line) => line.upc)
  const found = await findGoodsByUpc(call.db, call.input.shopId, upcs)
  const goods = new BarcodeMap(found.map((good) => [good.upc, good] as const))
  const hidden = !(await areReferenceableRows(
    call,
    goodInfo,
    [...goods.values()].map(({ id }) => id),
  ))
  const unknown = upcs.filter((upc) => hidden || !goods.has(upc))
  if (unknown.length) throw new Refused('quote_unknown_goods', { upcs: unknown.slice(0, 5).join('、') })
  if (wanted.reduce((sum, line) => sum + line.quantity, 0) > PIECES_MAX)
    throw new Refused('quote_too_many', { max: PIECES_MAX })
  return goods
}

/** The campaign as it stands in the form. */
const draftOf = async ({ db, input }: PricePreviewCall, rule: CampaignOffer['rule']): Promise<CampaignOffer> => ({
  id: '0',
  name: '',
  rule,
  priority: input.priority ?? 0,
  membersOnly: input.membersOnly === true,
  stackable: input.stackable === true,
  withVip: input.withVip !== false,
  withTicket: input.withTicket !== false,
  left: null,
  times: null,
  upcs:
    rule.type === 'bundle' && rule.items.length
      ? rule.items.map((item) => item.upc)
      : await findBarcodesOfGoods(db, input.goodIds),
  typeIds: input.goodTypeIds ?? [],
})
