export { deviceInfo } from './device-info.resource.ts'
export { cashRegisterPic } from './screens.resource.ts'
export { cashRegisterClientVersion, clientVersion } from './versions.resource.ts'
