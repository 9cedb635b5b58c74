import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  type_of_other_shop: { zh: '分类“{name}”属于其他门店', en: 'Category “{name}” belongs to another store' },
  good_has_stock: {
    zh: '商品“{name}”还有库存，请先盘点清零',
    en: 'Product “{name}” still has stock. Count it to zero first.',
  },
  good_of_other_shop: { zh: '商品不属于所选门店', en: 'The product does not belong to the selected store' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
