import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  platform_refused: { zh: '平台没有答应：{words}', en: 'The platform refused: {words}' },
  platform_away: {
    zh: '平台暂时没有回答，请稍后再试',
    en: 'The platform does not answer for the moment: try again later',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
