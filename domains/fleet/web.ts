import { linkActions } from '#domains/gateways/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/device/rollout': () => import('./rollout.page.tsx'),
    '/device/remoteSession': () => import('./remote-session.page.tsx'),
  },
  fills: [fillsSlot(linkActions, () => import('./link-actions.tsx'))],
  resources: {
    '/device/rolloutDevice': () =>
      import('./rollout.resource.ts').then((m) => ({
        resource: m.rolloutDevice,
        intro: {
          zh: '每次升级里的每台设备：轮到没有，成了没有，没成是为什么',
          en: 'Each device of each rollout: whether it had its turn, and what became of it',
        },
      })),
    '/monitor/log/remote': () =>
      import('./remote-session.resource.ts').then((m) => ({
        resource: m.remoteLine,
        intro: {
          zh: '远程会话里输入的每条命令和输出；只能查看，密码等已遮盖',
          en: 'Each command of remote sessions and what came back; nobody can change it, secrets are masked',
        },
      })),
  },
} satisfies RoomPages
