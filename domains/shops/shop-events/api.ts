export { notifyPerson, type NoticeRequest } from './notify-person.ts'
export { registerSilenceCheck } from './silence-checks.ts'
export {
  AUTO_RECOVERED_TEXT,
  onEventRaised,
  raiseEvent,
  updateOpenEvent,
  resolveEvents,
  type RaiseEventInput,
} from './event.server.ts'

/** The running of the shops: told once there is a history. */
export const importShopEventsStory = () => import('./running.demo.ts')
