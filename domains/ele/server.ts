import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'ele',
  label: { zh: '饿了么', en: 'Ele' },
  menus: [{ code: 'ele', label: { zh: '饿了么', en: 'Ele' }, path: '/ele', icon: 'thunderbolt', sort: 85 }],
})
