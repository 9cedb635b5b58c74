import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  type_of_other_shop: { zh: '分类“{name}”属于其他门店', en: 'Type "{name}" belongs to another shop' },
  good_has_stock: {
    zh: '商品“{name}”还有库存，请先盘点清零',
    en: '"{name}" is still in stock; count it down to zero first',
  },
  good_of_other_shop: { zh: '商品不属于所选门店', en: 'The goods belong to another shop' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
