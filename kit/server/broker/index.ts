import type { Lease } from '../database/lease.ts'
import type { BrokerAccess } from './access.ts'
import type { MessageIntake } from './intake.ts'
import type { StartLeaderTask } from './listen.ts'
import type { MqttConnection } from './mqtt-connection.ts'

/** The server's connection to the MQTT broker. */
export type BrokerLink = {
  /** URL of the broker without credentials. */
  address: string
  messages: MqttConnection
  access: BrokerAccess
  /**
   * Starts receiving messages by topic pattern, in one process of the installation at a time (leader). Call it once for
   * each server, with all intakes.
   */
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
