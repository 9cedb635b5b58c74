import './refusals.ts'

export { enqueueNoShowTimeout } from './visit-timeout.ts'
export { addSaleToVisit, lockVisitOfSale } from './sale-in-visit.ts'
export {
  createVisitDeferred,
  createVisit,
  recomputeRefundedVisit,
  recordDeviceVisitMoment,
  type VisitMoment,
} from './visit.server.ts'

/** Visits, work orders and leads of the demo story: told once there is a history. */
export const importVisitsStory = () => import('./visits.demo.ts')
