import {
  f,
  defineCall,
  objectSchema,
  integerSchema,
  arraySchema,
  textSchema,
  numberSchema,
} from '#kit/resource/index.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'

const DAYS_MAX = 90

/** Recent sales. */
export const goodInfoSalesCall = defineCall({
  method: 'GET',
  path: '/api/shop/goodInfo/sales',
  input: {
    id: f.ref('goodInfo', { label: goodInfo.label, required: true }),
    days: f.number({ label: { zh: '天数', en: 'Days' }, min: 7, max: DAYS_MAX }),
  },
  answer: objectSchema({
    total: integerSchema,
    days: arraySchema(
      objectSchema({
        date: textSchema,
        sold: integerSchema,
        received: integerSchema,
        lost: integerSchema,
        stock: integerSchema,
      }),
    ),
    rate: objectSchema({ perDay: numberSchema, days: integerSchema }),
  }),
})
