import './refusals.ts'

export { registerInstalled, registerRemoved } from './work-info.server.ts'
