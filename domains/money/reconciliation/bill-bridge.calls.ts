import {
  f,
  defineCall,
  objectSchema,
  arraySchema,
  textSchema,
  yuanSchema,
  enumSchema,
  integerSchema,
  rowIdSchema,
} from '#kit/resource/index.ts'
import { bill } from '#domains/money/merchant-accounts/index.ts'
import { bridgeKinds, type BridgeKind } from './bill-bridge.ts'

const sideSchema = objectSchema({
  analysis: yuanSchema,
  bill: yuanSchema,
  /** What no line explains. */
  rest: yuanSchema,
  lines: arraySchema(
    objectSchema({
      kind: enumSchema(...(Object.keys(bridgeKinds) as BridgeKind[])),
      count: integerSchema,
      amount: yuanSchema,
      orderNos: arraySchema(textSchema),
    }),
  ),
})

/** Differences between a bill and sales performance. */
export const billBridgeCall = defineCall({
  method: 'GET',
  path: `${bill.path}/bridge`,
  input: { id: f.ref('bill', { label: bill.label, required: true }) },
  answer: objectSchema({
    shopIds: arraySchema(rowIdSchema),
    paid: sideSchema,
    back: sideSchema,
    channels: arraySchema(
      objectSchema({ channel: textSchema, source: textSchema, amount: yuanSchema, refund: yuanSchema }),
    ),
  }),
})
