import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  resources: {
    '/shop/customerVisitLog': () => import('./visit.resource.ts').then(({ customerVisitLog }) => ({ resource: customerVisitLog })),
    '/shop/doorControlLog': () => import('./door-control-log.resource.ts').then(({ doorControlLog }) => ({ resource: doorControlLog })),
    '/shop/workInfo': () => import('./work-info.resource.ts').then(({ workInfo }) => ({ resource: workInfo })),
    '/shop/joinUs': () => import('./join-us.resource.ts').then(({ joinUs }) => ({ resource: joinUs })),
  },
} satisfies RoomPages
