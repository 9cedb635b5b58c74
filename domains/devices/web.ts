import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/device/cashRegister': () => import('./cash-register.page.tsx') },
} satisfies RoomPages
