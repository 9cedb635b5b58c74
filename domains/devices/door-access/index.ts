export { doorControlLog } from './door-control-log.resource.ts'
