import {
  f,
  defineCall,
  objectSchema,
  textSchema,
  integerSchema,
  arraySchema,
  rowIdSchema,
} from '#kit/resource/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'

export const PRICE_PAGE_MAX = 200

/** Price audit. */
export const priceTagLoopCall = defineCall({
  method: 'GET',
  path: '/api/shop/priceTag/loop',
  input: {
    shopId: f.ref('basicShopInfo', { label: basicShopInfo.label }),
    size: f.number({ label: { zh: '条数', en: 'Page size' }, min: 1, max: PRICE_PAGE_MAX }),
    isWhole: f.boolean({ label: { zh: '含一致的', en: 'Include matches' } }),
  },
  answer: objectSchema({
    now: textSchema,
    total: integerSchema,
    differing: integerSchema,
    rows: arraySchema(
      objectSchema({
        name: textSchema,
        upc: textSchema,
        shopName: textSchema,
        filePrice: textSchema,
        tagLow: textSchema,
        tagHigh: textSchema,
        tillPrice: textSchema,
        difference: textSchema,
        fileTime: textSchema,
        tagTime: textSchema,
        tillTime: textSchema,
        id: rowIdSchema,
        shopId: textSchema,
        tags: integerSchema,
        behind: integerSchema,
      }),
    ),
  }),
})
