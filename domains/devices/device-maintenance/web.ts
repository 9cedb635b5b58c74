import { deviceLinkActionsSlot } from '#domains/devices/device-messaging/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/rollout': () => import('./rollout.page.tsx'),
    '/device/remoteSession': () => import('./remote-session.page.tsx'),
  },
  fills: [defineSlotFilling(deviceLinkActionsSlot, () => import('./link-actions.tsx'))],
  resources: {
    '/device/rolloutDevice': () =>
      import('./rollout.resource.ts').then((m) => ({
        resource: m.rolloutDevice,
        intro: {
          zh: '每次升级里的每台设备：轮到没有，成了没有，没成是为什么',
          en: 'Every device of every rollout: whether it was upgraded, and why not',
        },
      })),
    '/monitor/log/remote': () =>
      import('./remote-session.resource.ts').then((m) => ({
        resource: m.remoteLine,
        intro: {
          zh: '远程会话里输入的每条命令和输出；只能查看，密码等已遮盖',
          en: 'Commands and output of remote sessions. Read-only. Passwords are masked.',
        },
      })),
  },
} satisfies ModulePages
