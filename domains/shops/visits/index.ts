export { customerVisitLog } from './visit.resource.ts'
