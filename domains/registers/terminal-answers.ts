import { orderFlags } from '#domains/orders/index.ts'

/** What registers are answered, as JSON Schema (docs/terminals.md). */

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const yes = { type: 'boolean' } as const
const yuan = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' } as const
const moment = { type: 'string', format: 'yyyy-MM-dd HH:mm:ss' } as const
const id = { type: 'string', pattern: '^\\d{1,19}$' } as const
const listOf = (items: object) => ({ type: 'array', items })
const oneOf = (...words: string[]) => ({ type: 'string', enum: words })

/** All of these come always, unless named as those that may not. */
const object = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
})

const flags = listOf({ type: 'string', enum: [...orderFlags] })
const clock = { serverTime: moment, clockSkew: whole, settingsVersion: whole }
const sale = { saleNo: text, orderId: id, orderNo: text, payTime: moment, flags, repeated: yes }
const sound = { oneOf: [object({ text, audioUrl: text }), { type: 'null' }] }
const door = { relockSeconds: whole, heldSeconds: whole, absentOffice: oneOf('refuse', 'open') }

export const answers = {
  heartbeat: object(clock),
  hello: object({
    ...clock,
    register: object({ id, sn: text, name: text }),
    shop: object({ id, shopName: text, shopCode: text, status: whole }, ['shopCode']),
    limits: object({ salesMax: whole, linesMax: whole, lateDays: whole, heartbeatSeconds: whole }),
  }),
  settings: object({
    version: whole,
    entryMode: oneOf('scan', 'face', 'open'),
    doorHoldSeconds: whole,
    ...door,
    doors: listOf(object({ doorNo: whole, ...door })),
    unmanned: { oneOf: [object({ start: text, end: text }), { type: 'null' }] },
    lightSchedule: listOf(object({ from: text, to: text, days: listOf(whole) })),
    welcome: sound,
    leave: sound,
    payTypes: listOf(text),
    memberPrices: yes,
    delivery: yes,
    neverAboveTag: yes,
  }),
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
        benefits: listOf(object({ refId: text, amount: yuan })),
      }),
    ),
    missed: listOf(object({ why: text })),
  }),
  sale: object(sale),
  sales: object({
    results: listOf(
      object({ ...sale, result: oneOf('recorded', 'repeated', 'refused', 'failed'), reason: text, msg: text }, [
        ...Object.keys(sale).filter((key) => key !== 'saleNo'),
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
    state: oneOf('sent', 'paying', 'paid', 'refused', 'closing', 'closed'),
    way: text,
    amount: yuan,
    orderId: id,
    orderNo: text,
    saleNo: text,
    transactionNo: text,
    payTime: { type: 'string' },
    note: text,
    backState: text,
    codeUrl: text,
  }),
}
