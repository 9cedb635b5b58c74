export { notifyPerson, type Notice } from './notify-person.ts'
export { registerSilenceCheck } from './silence-checks.ts'
export { IS_OVER, onEventRaised, raiseEvent, reviseEvent, settleEvents, type Raised } from './event.server.ts'

/** The running of the shops: told once there is a history. */
export const runningStory = () => import('./running.demo.ts')
