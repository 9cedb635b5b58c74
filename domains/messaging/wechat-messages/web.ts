import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  resources: {
    '/resource/wechatApp': () =>
      import('./wechat-app.resource.ts').then((m) => ({
        resource: m.wechatApp,
        intro: {
          zh: '通知从哪个小程序或公众号发出；哪类通知用哪个模板，在“微信通知模板”里设置',
          en:
            'Mini programs or official accounts notifications are sent from. Assign templates under “WeChat ' +
            'message templates”.',
        },
      })),
    '/resource/wechatMessage': () =>
      import('./wechat-message.resource.ts').then((m) => ({
        resource: m.wechatMessage,
        intro: { zh: '每一条微信消息和它的结果', en: 'Every WeChat message and its result' },
      })),
  },
} satisfies ModulePages
