import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  platform_fewer_left: {
    zh: '这一行最多还能退 {left} 件',
    en: 'At most {left} {left|piece|pieces} of this line can still be given back',
    none: {
      of: 'left',
      zh: '这一行已没有可退的件数',
      en: 'Nothing of this line can be given back any more',
    },
    status: 409,
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
