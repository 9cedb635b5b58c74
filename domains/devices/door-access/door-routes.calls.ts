import {
  f,
  defineCall,
  objectSchema,
  integerSchema,
  nullableSchema,
  textSchema,
  booleanSchema,
  arraySchema,
  enumSchema,
} from '#kit/resource/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'

export const DOOR_PATH = '/api/shop/door'

/** Store doors. */
export const doorOfShopCall = defineCall({
  method: 'GET',
  path: `${DOOR_PATH}/ofShop`,
  input: { shopId: f.ref('', { label: basicShopInfo.label, required: true }) },
  answer: objectSchema(
    {
      now: integerSchema,
      of: objectSchema(
        {
          clientId: nullableSchema(textSchema),
          online: booleanSchema,
          stale: booleanSchema,
          ts: integerSchema,
          ageSeconds: integerSchema,
          doors: arraySchema(
            objectSchema(
              {
                doorNo: integerSchema,
                contact: enumSchema('open', 'unknown', 'closed'),
                lock: enumSchema('unknown', 'locked', 'unlocked', 'fault'),
                mode: textSchema,
                keepUntil: integerSchema,
                lastEvent: textSchema,
                lastAt: integerSchema,
              },
              ['keepUntil', 'lastEvent', 'lastAt'],
            ),
          ),
          shopName: textSchema,
        },
        ['ts', 'ageSeconds', 'shopName'],
      ),
    },
    ['of'],
  ),
})
