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

/** Imports the demo visits, work orders and leads, seeded after the history. */
export const importVisitsDemo = () => import('./visits.demo.ts')
