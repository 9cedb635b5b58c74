import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  platform_refused: { zh: '平台拒绝了：{words}', en: 'The platform rejected the request: {words}' },
  platform_away: {
    zh: '平台暂时没有响应，请稍后再试',
    en: 'The platform is not responding. Try again later.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
