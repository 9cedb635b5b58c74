export { deviceCommand } from './device-command.resource.ts'
export { deviceLink } from './device-link.resource.ts'
