import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  tag_of_other_shop: { zh: '价签 {tagId} 属于其他门店', en: 'Tag {tagId} belongs to another store' },
  tag_without_gateway: { zh: '价签 {tagId} 的门店还没有网关', en: 'The store of tag {tagId} has no gateway yet' },
  tag_carrier_silent: { zh: '“{name}”没有应答，请稍后再试', en: '“{name}” is not responding. Try again later.' },
  tag_carrier_refused: { zh: '“{name}”拒绝: {msg}', en: '“{name}” rejected the request: {msg}' },
  tag_layout_wrong: {
    zh: '画面第 {row} 个元素放不下或不完整',
    en: 'Layout element {row} does not fit or is incomplete',
  },
  tag_layout_empty: { zh: '画面要有 1 至 {max} 个元素', en: 'A layout must have 1 to {max} elements' },
  tag_unbound: { zh: '价签还没有绑定商品', en: 'The tag is not linked to a product yet' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
