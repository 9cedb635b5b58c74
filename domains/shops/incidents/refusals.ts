import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  guard_taken: { zh: '{name} 已接手这件事', en: '{name} already took this case', status: 409 },
  guard_over: { zh: '这件事已经结束', en: 'This case is already closed', status: 409 },
  guard_not_yours: {
    zh: '这件事由 {name} 处理，只有本人或管理员可以放回或移交',
    en: '{name} is handling this case. Only that person or an administrator can release or hand it off.',
    status: 409,
  },
  guard_free: { zh: '这件事还没有人接手', en: 'No one has taken this case yet', status: 409 },
  guard_refund_decides: {
    zh: '请同意或拒绝退款来结束这件事',
    en: 'Approve or reject the refund to close this case.',
  },
  guard_phrase_off: { zh: '短语“{name}”已停用', en: 'Message “{name}” is inactive' },
  shift_of_other: {
    zh: '只能交自己的班；管理员可以代为交班',
    en: 'Only the person on shift or an administrator can end this shift.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
