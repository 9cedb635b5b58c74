import type { Lease } from '../database/lease.ts'
import type { BrokerAccess } from './access.ts'
import type { Intake } from './intake.ts'
import type { LeaderTask } from './listen.ts'
import type { MqttConnection } from './mqtt-connection.ts'

/** A server's way to its devices. */
export type Link = {
  /** Where the broker is, without a word on who we are. */
  address: string
  messages: MqttConnection
  access: BrokerAccess
  /** Hears what comes, by pattern, in one process of all servers at a time: one call a server, with all of it. */
  listen: (intakes: Record<string, Intake>, begin: LeaderTask) => Lease
}

export { createBrokerAccess } from './access.ts'
export { startBroker } from './broker.ts'
export type { Authenticate, Broker } from './broker.ts'
export { createIntake, MessageTooLargeError } from './intake.ts'
export { listenAsLeader } from './listen.ts'
export { connectMqtt, NotTaken } from './mqtt-connection.ts'
export type { MqttConnection } from './mqtt-connection.ts'
export { mayPublish, maySubscribe, MESSAGE_BYTES_MAX } from './topics.ts'
