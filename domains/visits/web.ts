import type { RoomPages } from '#kit/web/rooms.ts'

export default { pages: { '/shop/customerVisitLog': () => import('./visit.page.tsx') } } satisfies RoomPages
