export { startBroker } from './broker.ts'
export type { Broker } from './broker.ts'
export { connectMqtt } from './messages.ts'
export type { Messages } from './messages.ts'
