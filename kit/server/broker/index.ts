import type { Lease } from '../database/lease.ts'
import type { BrokerAccess } from './access.ts'
import type { MessageIntake } from './intake.ts'
import type { StartLeaderTask } from './listen.ts'
import type { MqttConnection } from './mqtt-connection.ts'

/** A server's way to its devices. */
export type BrokerLink = {
  /** Where the broker is, without a word on who we are. */
  address: string
  messages: MqttConnection
  access: BrokerAccess
  /** Hears what comes, by pattern, in one process of all servers at a time: one call a server, with all of it. */
  listen: (intakes: Record<string, MessageIntake>, begin: StartLeaderTask) => Lease
}

export { createBrokerAccess } from './access.ts'
export { startBroker } from './broker.ts'
export type { ClientAuthenticator, Broker } from './broker.ts'
export { createMessageIntake, MessageTooLargeError } from './intake.ts'
export { listenAsLeader } from './listen.ts'
export { connectMqtt, MessageRejectedError } from './mqtt-connection.ts'
export type { MqttConnection } from './mqtt-connection.ts'
export { mayPublish, maySubscribe, MQTT_MESSAGE_BYTES_MAX } from './topics.ts'
