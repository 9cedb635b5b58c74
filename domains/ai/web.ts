import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/ai/aiTask': () => import('./ai-task.page.tsx') },
  resources: { '/ai/aiTaskLog': () => import('./ai-task.resource.ts').then((m) => ({ resource: m.aiTaskLog })) },
} satisfies RoomPages
