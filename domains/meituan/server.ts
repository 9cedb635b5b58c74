import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'meituan',
  label: { zh: '美团', en: 'Meituan' },
  menus: [{ code: 'meituan', label: { zh: '美团', en: 'Meituan' }, path: '/meituan', icon: 'rocket', sort: 86 }],
})
