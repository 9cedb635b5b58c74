/** Schemas of the answers to registers (docs/terminals.md). */

import {
  constSchema,
  rowIdSchema,
  arraySchema,
  dateTimeSchema,
  nullSchema,
  objectSchema,
  oneOfSchema,
  textSchema,
  integerSchema,
  enumSchema,
  booleanSchema,
  yuanSchema,
} from '#kit/resource/response-schema.ts'
import { BENEFIT_KINDS, MISSED_OFFER_KINDS, MISSED_OFFER_REASONS } from '#domains/sales/marketing/api.ts'
import { orderIrregularities } from '#domains/sales/orders/index.ts'

/** An empty text for "nothing". */
const none = constSchema('')
const flags = arraySchema(enumSchema(...orderIrregularities))
const clock = { serverTime: dateTimeSchema, clockSkew: integerSchema, settingsVersion: integerSchema }
const sale = {
  saleNo: textSchema,
  orderId: rowIdSchema,
  orderNo: textSchema,
  payTime: dateTimeSchema,
  flags,
  repeated: booleanSchema,
}
const sound = oneOfSchema(objectSchema({ text: textSchema, audioUrl: textSchema }), nullSchema)
const door = { relockSeconds: integerSchema, heldSeconds: integerSchema, absentOffice: enumSchema('refuse', 'open') }

export const terminalAnswerSchemas = {
  heartbeat: objectSchema(clock),
  hello: objectSchema({
    ...clock,
    register: objectSchema({ id: rowIdSchema, sn: textSchema, name: textSchema }),
    shop: objectSchema({ id: rowIdSchema, shopName: textSchema, shopCode: textSchema, status: integerSchema }, [
      'shopCode',
    ]),
    limits: objectSchema({
      salesMax: integerSchema,
      linesMax: integerSchema,
      lateDays: integerSchema,
      heartbeatSeconds: integerSchema,
    }),
  }),
  // Null for a shop whose settings were never saved.
  settings: oneOfSchema(
    objectSchema({
      version: integerSchema,
      entryMode: enumSchema('scan', 'face', 'open'),
      doorHoldSeconds: integerSchema,
      ...door,
      doors: arraySchema(objectSchema({ doorNo: integerSchema, ...door })),
      unmanned: oneOfSchema(objectSchema({ start: textSchema, end: textSchema }), nullSchema),
      lightSchedule: arraySchema(objectSchema({ from: textSchema, to: textSchema, days: arraySchema(integerSchema) })),
      welcome: sound,
      leave: sound,
      payTypes: arraySchema(textSchema),
      memberPrices: booleanSchema,
      delivery: booleanSchema,
      neverAboveTag: booleanSchema,
    }),
    objectSchema({}),
  ),
  goods: objectSchema({
    goods: arraySchema(
      objectSchema({
        id: rowIdSchema,
        upc: textSchema,
        name: textSchema,
        spec: textSchema,
        unit: textSchema,
        typeName: textSchema,
        salePrice: yuanSchema,
        vipPrice: textSchema,
        stock: integerSchema,
        onSale: booleanSchema,
        isRemoved: booleanSchema,
      }),
    ),
    cursor: textSchema,
    hasMore: booleanSchema,
  }),
  customer: objectSchema({
    id: rowIdSchema,
    nickname: textSchema,
    phone: textSchema,
    balance: yuanSchema,
    integral: integerSchema,
    vipLevel: integerSchema,
    isVip: booleanSchema,
    tickets: arraySchema(
      objectSchema({ ticketNo: textSchema, name: textSchema, promise: textSchema, endTime: dateTimeSchema }),
    ),
  }),
  quote: objectSchema({
    quoteId: rowIdSchema,
    saleNo: textSchema,
    validUntil: dateTimeSchema,
    validMinutes: integerSchema,
    quantity: integerSchema,
    goodsAmount: yuanSchema,
    vipAmount: yuanSchema,
    campaignAmount: yuanSchema,
    ticketAmount: yuanSchema,
    pointsAmount: yuanSchema,
    points: integerSchema,
    payAmount: yuanSchema,
    lines: arraySchema(
      objectSchema({
        upc: textSchema,
        name: textSchema,
        price: yuanSchema,
        quantity: integerSchema,
        discount: yuanSchema,
        amount: yuanSchema,
        benefits: arraySchema(
          objectSchema({ kind: enumSchema(...BENEFIT_KINDS), refId: textSchema, name: textSchema, amount: yuanSchema }),
        ),
      }),
    ),
    missed: arraySchema(
      objectSchema({
        kind: enumSchema(...MISSED_OFFER_KINDS),
        refId: textSchema,
        name: textSchema,
        why: enumSchema(...MISSED_OFFER_REASONS),
        lacking: oneOfSchema(yuanSchema, integerSchema, none),
      }),
    ),
  }),
  sale: objectSchema(sale),
  sales: objectSchema({
    results: arraySchema(
      objectSchema(
        {
          ...sale,
          result: enumSchema('recorded', 'repeated', 'refused', 'failed'),
          reason: textSchema,
          msg: textSchema,
        },
        [...(Object.keys(sale) as (keyof typeof sale)[]).filter((key) => key !== 'saleNo'), 'reason', 'msg'],
      ),
    ),
    recorded: integerSchema,
    repeated: integerSchema,
    refused: integerSchema,
    failed: integerSchema,
  }),
  pay: objectSchema({
    payNo: textSchema,
    state: enumSchema('sent', 'paying', 'paid', 'refused', 'closing', 'closed'),
    way: textSchema,
    amount: yuanSchema,
    orderId: rowIdSchema,
    orderNo: textSchema,
    saleNo: textSchema,
    transactionNo: textSchema,
    payTime: oneOfSchema(dateTimeSchema, none),
    note: textSchema,
    backState: textSchema,
    codeUrl: textSchema,
  }),
}
