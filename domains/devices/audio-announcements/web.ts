import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/audioConf': () => import('./audio-conf.page.tsx'),
    '/resource/speechEngine': () => import('./speech-engine.page.tsx'),
  },
  resources: {
    '/device/announcementLog': () =>
      import('./announcement-log.resource.ts').then((m) => ({
        resource: m.announcementLog,
        intro: {
          zh: '哪家门店在什么时候因为什么播了什么，结果由设备回报',
          en: 'What was played where, when and why. Devices report the result.',
        },
      })),
  },
} satisfies ModulePages
