import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'merchants',
  label: { zh: '商户', en: 'Merchants' },
  menus: [{ code: 'merchant', label: { zh: '商户', en: 'Merchants' }, path: '/merchant', icon: 'bank', sort: 70 }],
})
