import type { RoomPages } from '#kit/web/rooms.ts'

export default { pages: { '/base/thirdApi': () => import('./third-api.page.tsx') } } satisfies RoomPages
