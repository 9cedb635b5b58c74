import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  ele_good_of_other_shop: { zh: '商品“{name}”不在这家门店', en: '"{name}" does not belong to this shop' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
