import { listColumnsFoot } from '#kit/web/list/list-slots.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/system/ownfield': () => import('./own-field.page.tsx') },
  fills: [fillsSlot(listColumnsFoot, () => import('./add-field.panel.tsx'))],
} satisfies RoomPages
