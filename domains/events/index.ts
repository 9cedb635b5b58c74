export { event, type EventType } from './event.resource.ts'
export { noticeLog } from './notice-log.resource.ts'
export { noticeSubscribe } from './notice-subscribe.resource.ts'
export { plannedWork } from './planned-work.resource.ts'
