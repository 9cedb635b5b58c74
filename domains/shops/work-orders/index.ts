export { joinUs, joinUsFollow, LEAD_STATE } from './join-us.resource.ts'
export { workDevice, workInfo, WORK_ORDER_STATE } from './work-info.resource.ts'
export { parseWireTime } from './clock.ts'
