import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  ele_good_of_other_shop: { zh: '商品“{name}”不在这家门店', en: '"{name}" does not belong to this shop' },
  ele_no_account: {
    zh: '请先在“平台凭证”里填写饿了么的账号和密钥',
    en: 'Give the account and the secret at Ele first, under "Platform credentials"',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
