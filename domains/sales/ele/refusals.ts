import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  ele_good_of_other_shop: { zh: '商品“{name}”不在这家门店', en: 'Product “{name}” does not belong to this store' },
  ele_no_account: {
    zh: '请先在“平台凭证”里填写饿了么的账号和密钥',
    en: 'Enter the Ele.me account and secret under “Platform credentials” first',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
