import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  tag_of_other_shop: { zh: '价签 {tagId} 属于其他门店', en: 'Tag {tagId} belongs to another shop' },
  tag_unbound: { zh: '价签还没有绑定商品', en: 'The tag shows no goods yet' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
