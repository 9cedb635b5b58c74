import { f } from '#kit/resource/index.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { defineCall, objectSchema, textSchema } from '#kit/resource/index.ts'
import { payAttempt } from './pay-attempt.resource.ts'

export const orderToPayField = f.ref(shoppingOrder.name, { label: shoppingOrder.label, required: true })

/** Create payment QR code. */
export const payAttemptNativeCall = defineCall({
  method: 'POST',
  path: `${payAttempt.path}/native`,
  input: { orderId: orderToPayField },
  answer: objectSchema({
    payNo: textSchema,
    state: textSchema,
    way: textSchema,
    amount: textSchema,
    orderId: textSchema,
    orderNo: textSchema,
    saleNo: textSchema,
    transactionNo: textSchema,
    payTime: textSchema,
    note: textSchema,
    backState: textSchema,
    codeUrl: textSchema,
  }),
})
