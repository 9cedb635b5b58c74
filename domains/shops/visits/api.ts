import './refusals.ts'

export { enqueueVisitTimeout } from './visit-timeout.ts'
export { joinVisit, visitOfSale } from './sale-in-visit.ts'
export { beginVisit, openVisit, visitRefunded, confirmVisit, type VisitMoment } from './visit.server.ts'

/** Visits, work orders and leads of the demo story: told once there is a history. */
export const visitsStory = () => import('./visits.demo.ts')
