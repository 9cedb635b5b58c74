import { defineRoom } from '#kit/server/room.ts'

export default defineRoom({
  name: 'thirdparty',
  label: { zh: '开放平台', en: 'Outside platforms' },
})
