import {
  arraySchema,
  dateTimeSchema,
  defineCall,
  f,
  objectSchema,
  oneOfSchema,
  constSchema,
  rowIdSchema,
  textSchema,
  yuanSchema,
} from '#kit/resource/index.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'

/** The payment trail of a sale: from the listed prices to the line of the account. */
export const moneyTrailCall = defineCall({
  method: 'GET',
  path: '/api/tally/way',
  input: { orderId: f.ref('shoppingOrder', { label: shoppingOrder.label, required: true }) },
  answer: objectSchema({
    orderId: rowIdSchema,
    orderNo: textSchema,
    payTime: oneOfSchema(dateTimeSchema, constSchema('')),
    platform: textSchema,
    steps: arraySchema(objectSchema({ key: textSchema, amount: yuanSchema })),
    net: yuanSchema,
    underWay: yuanSchema,
    beside: yuanSchema,
    arrived: oneOfSchema(yuanSchema, constSchema('')),
    payments: arraySchema(objectSchema({ channel: textSchema, no: textSchema, amount: yuanSchema })),
    bills: arraySchema(
      objectSchema({ billId: rowIdSchema, billNo: textSchema, kind: textSchema, no: textSchema, amount: yuanSchema }),
    ),
    stands: arraySchema(
      objectSchema({
        source: textSchema,
        kind: textSchema,
        day: textSchema,
        account: textSchema,
        dayId: rowIdSchema,
        no: textSchema,
        amount: yuanSchema,
      }),
    ),
    differences: arraySchema(objectSchema({ id: rowIdSchema, kind: textSchema, state: textSchema, worth: yuanSchema })),
  }),
})
