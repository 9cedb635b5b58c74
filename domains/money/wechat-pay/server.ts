import './refusals.ts'
import { registerWebhookHandler } from '#domains/platform/external-apis/api.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { handleWechatEvent, notifyRoute } from './notify.ts'
import { payAccountServer } from './pay-account.server.ts'

export default defineModule({
  name: 'money/wechat-pay',
  label: { zh: '微信支付', en: 'WeChat Pay' },
  resources: [payAccountServer],
  routes: [notifyRoute],
  start: async (services) => registerWebhookHandler(services, 'wechat', handleWechatEvent),
})
