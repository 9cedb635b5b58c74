export { customerVisitLog } from './visit.resource.ts'
export { doorControlLog } from './door-control-log.resource.ts'
export { joinUs, joinUsFollow } from './join-us.resource.ts'
export { workDevice, workInfo } from './work-info.resource.ts'
