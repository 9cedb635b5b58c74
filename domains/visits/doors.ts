import './refusals.ts'

export { noteVisit, openVisit, type VisitMoment } from './visit.server.ts'

/** Visits, work orders and leads of the demo story: told once there is a history. */
export const visitsStory = () => import('./visits.story.ts')
