import { yuan } from '#kit/fields/money/cents.ts'
import { areReferenceable } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, route, type Call } from '#kit/server/module.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { f, type Fields, type ValueOf } from '#kit/resource/index.ts'
import { goodInfo, ByLabel } from '#domains/catalogue/products/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { memberPricesOf } from '#domains/sales/customers/api.ts'
import { barcodesOf } from './barcodes-of.ts'
import { campaignGoodsRoute } from './campaign-goods.server.ts'
import { requireRules } from './campaign.server.ts'
import { discountConf } from './discount-conf.resource.ts'
import { goodsByUpc, runningCampaigns } from './offers.ts'
import type { CampaignOffer, Priced } from './basket.ts'
import { priceInTurns } from './price-in-turns.ts'
import { PIECES_MAX } from './pricing.ts'
import { parseWanted } from './wanted.ts'

/** A priced basket as the wire carries it. */
export const pricedWire = (priced: Priced) => ({
  quantity: priced.quantity,
  goodsAmount: yuan(priced.goodsAmount),
  vipAmount: yuan(priced.vipAmount),
  campaignAmount: yuan(priced.campaignAmount),
  ticketAmount: yuan(priced.ticketAmount),
  pointsAmount: yuan(priced.pointsAmount),
  points: priced.points,
  payAmount: yuan(priced.payAmount),
  lines: priced.lines.map(({ upc, name, price, quantity, discount, amount, benefits }) => ({
    upc,
    name,
    price: yuan(price),
    quantity,
    discount: yuan(discount),
    amount: yuan(amount),
    benefits: benefits.map((one) => ({ ...one, refId: one.refId ?? '', amount: yuan(one.amount) })),
  })),
  missed: priced.missed.map(({ lacking, why, ...one }) => ({
    ...one,
    why,
    lacking: lacking === undefined ? '' : why === 'threshold' ? yuan(lacking) : lacking,
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
type PricePreviewCall = Call<{ [K in keyof typeof previewFields]: ValueOf<(typeof previewFields)[K]> }>

export const marketingRoutes = [
  campaignGoodsRoute,
  route({
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
  const rule = requireRules(input.type, input.rules)
  if (!(await areReferenceable(call, basicShopInfo, [input.shopId])))
    throw invalidField({ fields: { shopId: discountConf.fields.shopIds } }, 'shopId', 'not_found')
  const wanted = parseWanted(input.lines)
  const goods = await knownGoods(call, wanted)
  const draft = await draftOf(call, rule)
  const moment = shanghaiText(call.services.now())
  const others = input.withOthers ? await runningCampaigns(db, input.shopId, [], moment) : []
  const vip = input.isMember
    ? await memberPricesOf(
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
  return pricedWire(
    await priceInTurns(basket, {
      ...(input.isMember ? { member: { levelId: '0', name: '', rate: 10_000 } } : {}),
      campaigns: [...others, draft],
      tickets: [],
      ticketChoice: 'all',
    }),
  )
}

/**
 * The shop's goods that are wanted, by barcode. Prices are told of goods alone that the caller would find in their
 * list.
 */
async function knownGoods(call: PricePreviewCall, wanted: ReturnType<typeof parseWanted>) {
  const upcs = wanted.map((line) => line.upc)
  const found = await goodsByUpc(call.db, call.input.shopId, upcs)
  const goods = new ByLabel(found.map((good) => [good.upc, good] as const))
  const hidden = !(await areReferenceable(
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
      : await barcodesOf(db, input.goodIds),
  typeIds: input.goodTypeIds ?? [],
})
