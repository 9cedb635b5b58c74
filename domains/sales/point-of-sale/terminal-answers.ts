import {
  exactly,
  id,
  listOf,
  moment,
  nothing,
  object,
  oneOf,
  text,
  whole,
  wordOf,
  yes,
  yuan,
} from '#kit/server/request/answer-shape.ts'
import { BENEFIT_KINDS, MISSED_KINDS, MISSED_REASONS } from '#domains/sales/marketing/api.ts'
import { orderFlags } from '#domains/sales/orders/index.ts'

/** What registers are answered (docs/terminals.md). */

/** Said where there is nothing to say. */
const none = exactly('')
const flags = listOf(wordOf(...orderFlags))
const clock = { serverTime: moment, clockSkew: whole, settingsVersion: whole }
const sale = { saleNo: text, orderId: id, orderNo: text, payTime: moment, flags, repeated: yes }
const sound = oneOf(object({ text, audioUrl: text }), nothing)
const door = { relockSeconds: whole, heldSeconds: whole, absentOffice: wordOf('refuse', 'open') }

export const answers = {
  heartbeat: object(clock),
  hello: object({
    ...clock,
    register: object({ id, sn: text, name: text }),
    shop: object({ id, shopName: text, shopCode: text, status: whole }, ['shopCode']),
    limits: object({ salesMax: whole, linesMax: whole, lateDays: whole, heartbeatSeconds: whole }),
  }),
  // A shop whose settings nobody has saved yet has none.
  settings: oneOf(
    object({
      version: whole,
      entryMode: wordOf('scan', 'face', 'open'),
      doorHoldSeconds: whole,
      ...door,
      doors: listOf(object({ doorNo: whole, ...door })),
      unmanned: oneOf(object({ start: text, end: text }), nothing),
      lightSchedule: listOf(object({ from: text, to: text, days: listOf(whole) })),
      welcome: sound,
      leave: sound,
      payTypes: listOf(text),
      memberPrices: yes,
      delivery: yes,
      neverAboveTag: yes,
    }),
    object({}),
  ),
  goods: object({
    goods: listOf(
      object({
        id,
        upc: text,
        name: text,
        spec: text,
        unit: text,
        typeName: text,
        salePrice: yuan,
        vipPrice: text,
        stock: whole,
        onSale: yes,
        isRemoved: yes,
      }),
    ),
    cursor: text,
    hasMore: yes,
  }),
  customer: object({
    id,
    nickname: text,
    phone: text,
    balance: yuan,
    integral: whole,
    vipLevel: whole,
    isVip: yes,
    tickets: listOf(object({ ticketNo: text, name: text, promise: text, endTime: moment })),
  }),
  quote: object({
    quoteId: id,
    saleNo: text,
    validUntil: moment,
    validMinutes: whole,
    quantity: whole,
    goodsAmount: yuan,
    vipAmount: yuan,
    campaignAmount: yuan,
    ticketAmount: yuan,
    pointsAmount: yuan,
    points: whole,
    payAmount: yuan,
    lines: listOf(
      object({
        upc: text,
        name: text,
        price: yuan,
        quantity: whole,
        discount: yuan,
        amount: yuan,
        benefits: listOf(object({ kind: wordOf(...BENEFIT_KINDS), refId: text, name: text, amount: yuan })),
      }),
    ),
    missed: listOf(
      object({
        kind: wordOf(...MISSED_KINDS),
        refId: text,
        name: text,
        why: wordOf(...MISSED_REASONS),
        lacking: oneOf(yuan, whole, none),
      }),
    ),
  }),
  sale: object(sale),
  sales: object({
    results: listOf(
      object({ ...sale, result: wordOf('recorded', 'repeated', 'refused', 'failed'), reason: text, msg: text }, [
        ...(Object.keys(sale) as (keyof typeof sale)[]).filter((key) => key !== 'saleNo'),
        'reason',
        'msg',
      ]),
    ),
    recorded: whole,
    repeated: whole,
    refused: whole,
    failed: whole,
  }),
  pay: object({
    payNo: text,
    state: wordOf('sent', 'paying', 'paid', 'refused', 'closing', 'closed'),
    way: text,
    amount: yuan,
    orderId: id,
    orderNo: text,
    saleNo: text,
    transactionNo: text,
    payTime: oneOf(moment, none),
    note: text,
    backState: text,
    codeUrl: text,
  }),
}
