import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'members',
  label: { zh: '会员', en: 'Members' },
  menus: [{ code: 'member', label: { zh: '会员', en: 'Members' }, path: '/member', icon: 'crown', sort: 40 }],
})
