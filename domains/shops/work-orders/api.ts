import './refusals.ts'

export { askWork, registerInstalled, registerRemoved } from './work-info.server.ts'
