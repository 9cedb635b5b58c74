import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  tag_of_other_shop: { zh: '价签 {tagId} 属于其他门店', en: 'Tag {tagId} belongs to another shop' },
  tag_without_gateway: { zh: '价签 {tagId} 的门店还没有网关', en: 'The shop of tag {tagId} has no gateway yet' },
  tag_unbound: { zh: '价签还没有绑定商品', en: 'The tag shows no goods yet' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
