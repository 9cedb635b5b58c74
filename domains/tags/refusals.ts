import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  tag_of_other_shop: { zh: '价签 {tagId} 属于其他门店', en: 'Tag {tagId} belongs to another shop' },
  tag_without_gateway: { zh: '价签 {tagId} 的门店还没有网关', en: 'The shop of tag {tagId} has no gateway yet' },
  tag_carrier_silent: { zh: '“{name}”没有应答，请稍后再试', en: '"{name}" did not answer; try again later' },
  tag_carrier_refused: { zh: '“{name}”拒绝: {msg}', en: '"{name}" refused: {msg}' },
  tag_layout_wrong: {
    zh: '画面第 {row} 个元素放不下或不完整',
    en: 'Element {row} of the layout does not fit or is incomplete',
  },
  tag_layout_empty: { zh: '画面须有 1 至 {max} 个元素', en: 'A layout has 1 to {max} elements' },
  tag_unbound: { zh: '价签还没有绑定商品', en: 'The tag shows no goods yet' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
