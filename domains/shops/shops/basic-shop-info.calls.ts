import { f, defineCall, arraySchema, objectSchema, textSchema } from '#kit/resource/index.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'

/** Store staff. */
export const basicShopInfoStaffCall = defineCall({
  method: 'GET',
  path: '/api/shop/basicShopInfo/staff',
  input: { id: f.ref('basicShopInfo', { label: basicShopInfo.label, required: true }) },
  answer: arraySchema(
    objectSchema({ userId: textSchema, position: textSchema, name: textSchema, account: textSchema }),
  ),
})
