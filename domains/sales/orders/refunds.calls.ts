import { defineCall, objectSchema, textSchema, oneOfSchema, yuanSchema, constSchema } from '#kit/resource/index.ts'

/** My approval limit. */
export const refundsLimitCall = defineCall({
  method: 'GET',
  path: '/api/shop/refunds/limit',
  answer: objectSchema({
    userId: textSchema,
    limit: oneOfSchema(yuanSchema, constSchema('')),
    secondAbove: yuanSchema,
  }),
})
