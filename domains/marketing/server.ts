import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'marketing',
  label: { zh: '营销', en: 'Marketing' },
  menus: [{ code: 'marketing', label: { zh: '营销', en: 'Marketing' }, path: '/marketing', icon: 'gift', sort: 50 }],
})
