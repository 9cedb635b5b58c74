import { goodInfo } from '#domains/catalogue/products/index.ts'
import {
  f,
  defineCall,
  objectSchema,
  integerSchema,
  textSchema,
  arraySchema,
  oneOfSchema,
  booleanSchema,
} from '#kit/resource/index.ts'

/** Explain stock figure. */
export const stockFigureCall = defineCall({
  method: 'GET',
  path: '/api/thirdparty/stock/figure',
  input: { goodId: f.ref(goodInfo.name, { label: goodInfo.label, required: true }) },
  answer: objectSchema({
    stock: integerSchema,
    unit: textSchema,
    since: textSchema,
    before: integerSchema,
    moved: arraySchema(
      objectSchema({
        source: textSchema,
        typeLabel: textSchema,
        sourceLabel: textSchema,
        type: textSchema,
        pieces: integerSchema,
        times: integerSchema,
      }),
    ),
    promised: arraySchema(objectSchema({ source: textSchema, pieces: integerSchema, sourceLabel: textSchema })),
    wanted: arraySchema(objectSchema({ source: textSchema, pieces: integerSchema, sourceLabel: textSchema })),
    channels: arraySchema(
      objectSchema({
        stock: integerSchema,
        stockThere: oneOfSchema(textSchema, integerSchema),
        platform: textSchema,
        rowId: textSchema,
        kept: integerSchema,
        isInStep: booleanSchema,
      }),
    ),
  }),
})
