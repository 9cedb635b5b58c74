import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  wechat_app_missing: {
    zh: '没有启用的微信应用，请先在资源管理里填写',
    en: 'No active WeChat app. Add one under “Integrations & storage” first.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
