import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  guard_taken: { zh: '{name} 已接手这件事', en: '{name} has taken this case', status: 409 },
  guard_over: { zh: '这件事已经结束', en: 'This case is over', status: 409 },
  guard_not_yours: {
    zh: '这件事由 {name} 处理，只有本人或管理员可以放回或移交',
    en: 'This case is with {name}: they or an administrator may give it away',
    status: 409,
  },
  guard_free: { zh: '这件事还没有人接手', en: 'Nobody has taken this case', status: 409 },
  guard_refund_decides: {
    zh: '退款申请请直接同意或拒绝',
    en: 'A refund is ended by approving or rejecting it',
  },
  guard_phrase_off: { zh: '短语“{name}”已停用', en: 'The phrase "{name}" is not in use' },
  shift_of_other: {
    zh: '只能交自己的班；管理员可以代为交班',
    en: 'A watch is ended by who keeps it, or an administrator',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
