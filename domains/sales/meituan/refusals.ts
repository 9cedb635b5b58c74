import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  meituan_no_account: {
    zh: '还没有启用的美团凭证，请先在平台凭证里填写',
    en: 'No active Meituan credentials. Enter them under “Platform credentials” first.',
  },
  meituan_good_of_other_shop: { zh: '商品“{name}”不在这家门店', en: 'Product “{name}” does not belong to this store' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
