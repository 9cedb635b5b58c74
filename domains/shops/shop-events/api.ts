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

/** Imports the demo data of this module, seeded after the shops' history. */
export const importShopEventsDemo = () => import('./running.demo.ts')
