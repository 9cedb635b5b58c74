import type { RoomPages } from '#kit/web/rooms.ts'

export default {} satisfies RoomPages
