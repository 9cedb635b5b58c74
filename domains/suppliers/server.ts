import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'suppliers',
  label: { zh: '采购', en: 'Buying' },
  menus: [{ code: 'supplier', label: { zh: '采购', en: 'Buying' }, path: '/supplier', icon: 'shopping', sort: 60 }],
})
