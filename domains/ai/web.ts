import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/ai/aiTask': () => import('./ai-task.page.tsx') },
  resources: {
    '/ai/aiTaskLog': () =>
      import('./ai-task.resource.ts').then((m) => ({
        resource: m.aiTaskLog,
        intro: {
          zh: '每次运行花了多久、结果是什么；失败的写明原因',
          en: 'How long each run took and what came of it; failed ones say why',
        },
      })),
  },
} satisfies RoomPages
