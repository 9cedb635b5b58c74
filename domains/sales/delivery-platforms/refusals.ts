import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  platform_fewer_left: {
    zh: '这一行最多还能退 {left} 件',
    en: 'You can refund up to {left} more {left|piece|pieces} of this line',
    none: {
      of: 'left',
      zh: '这一行已没有可退的件数',
      en: 'Nothing on this line can be refunded any more',
    },
    status: 409,
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
