import { defineRoom } from '#kit/server/room.ts'
import { homeRoute } from './home.server.ts'
import { hoursRoute } from './hours.server.ts'

export default defineRoom({
  name: 'statistics',
  label: { zh: '统计', en: 'Statistics' },
  routes: [homeRoute, hoursRoute],
})
