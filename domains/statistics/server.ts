import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'statistics',
  label: { zh: '统计', en: 'Statistics' },
})
