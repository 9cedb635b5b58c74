import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/shop/noticeSubscribe': () => import('./notice-subscribe.page.tsx'),
    '/shop/noticeLog': () => import('./notice-log.page.tsx'),
    '/shop/event': () => import('./event.page.tsx'),
  },
  resources: {
    '/resource/wechatTemplate': () =>
      import('./wechat-template.resource.ts').then((m) => ({
        resource: m.wechatTemplate,
        intro: {
          zh: '哪类通知用微信的哪个模板，内容填进模板的哪个字段',
          en: 'Which WeChat template is used for which notification and what goes into its fields',
        },
      })),
    '/shop/plannedWork': () =>
      import('./planned-work.resource.ts').then((m) => ({
        resource: m.plannedWork,
        intro: {
          zh: '施工、检修、停电期间，门店的事件只记录不通知（紧急求助除外）；结束后还没恢复的再通知',
          en:
            'During construction, maintenance or power cuts, events of the store are recorded without ' +
            'notification (except emergency calls). Those that persist are notified afterwards.',
        },
      })),
  },
} satisfies ModulePages
