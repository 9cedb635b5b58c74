import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'ai',
  label: { zh: '智能任务', en: 'AI tasks' },
  menus: [{ code: 'ai', label: { zh: '智能任务', en: 'AI tasks' }, path: '/ai', icon: 'robot', sort: 88 }],
})
