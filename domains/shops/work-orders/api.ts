import './refusals.ts'

export { createWorkOrder, registerDeviceInstaller, registerDeviceRemover } from './work-info.server.ts'
