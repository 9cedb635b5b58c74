import './refusals.ts'

export { logDoor } from './door-log.server.ts'
