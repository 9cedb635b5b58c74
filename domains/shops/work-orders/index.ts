export { joinUs, joinUsFollow, LEAD } from './join-us.resource.ts'
export { workDevice, workInfo, WORK } from './work-info.resource.ts'
export { fromShanghai } from './clock.ts'
