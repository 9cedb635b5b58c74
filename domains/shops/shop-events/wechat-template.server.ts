import { createWechatMessage } from '#domains/messaging/wechat-messages/api.ts'
import { serve } from '#kit/server/module/module.ts'
import { wechatTemplate } from './wechat-template.resource.ts'
import { noticeTemplateValues } from './wechat-notice.ts'

export const wechatTemplateServer = serve(wechatTemplate, {
  actions: {
    test: async (row, { openid }, { db, services }) => {
      const values = noticeTemplateValues(row, {
        content: '这是一条测试通知',
        shop: '测试门店',
        kind: '测试',
        at: services.now(),
      })
      const { wechatAppId, templateNo, target } = row
      return {
        id: await createWechatMessage(db, services, { wechatAppId, openid, templateNo, target, values, atOnce: true }),
      }
    },
  },
})
