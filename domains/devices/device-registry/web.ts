import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/deviceInfo': () => import('./device-info.page.tsx'),
    '/device/cashRegisterClientVersion': () => import('./register-version.page.tsx'),
    '/device/clientVersion': () => import('./gateway-version.page.tsx'),
  },
  resources: {
    '/device/cashRegisterPic': () =>
      import('./screens.resource.ts').then((m) => ({
        resource: m.cashRegisterPic,
        intro: {
          zh: '收银机屏幕空闲时轮播的图片，按门店和时间生效',
          en: 'Images shown on registers while idle, by store and time',
        },
      })),
  },
} satisfies ModulePages
