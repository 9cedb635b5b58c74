import './refusals.ts'

export { logDoor } from './door-log.server.ts'
export { noteVisit, openVisit, type VisitMoment } from './visit.server.ts'
export { registerInstalled, registerRemoved } from './work-info.server.ts'
/** Visits, work orders and leads of the demo story: told once there is a history. */
export const operationsStory = () => import('./operations.story.ts')
