import type { TopicGrant } from './topics.ts'

/** Settings the server passes to its broker thread. */
export type BrokerSettings = {
  host: string
  port: number
  tls?: TlsListener | undefined
  ws?: { port: number } | undefined
  /** Credentials of the server's own connection, which may use all topics. */
  serverUsername: string
  serverPassword: string
  messagesPerSecond: number
}

/** Key and certificate as PEM. */
export type TlsListener = { port: number; key: string; cert: string }

export type BrokerPorts = { port: number; tlsPort?: number; wsPort?: number }

export type MessageFromBrokerThread =
  | { kind: 'ready'; ports: BrokerPorts }
  | { kind: 'authenticate'; id: number; credentials: MqttCredentials }
  | { kind: 'connected' | 'disconnected' | 'takenOver'; clientId: string }
  | { kind: 'trouble'; clientId: string; message: string }
  | { kind: 'counted'; counts: BrokerCounts }

export type MessageToBrokerThread =
  | { kind: 'verdict'; id: number; grant: TopicGrant | null }
  | { kind: 'disconnect'; clientId: string }
  | { kind: 'count' }
  | { kind: 'stop' }

/** Statistics of the broker thread since it started; `clients`: connected now, including the server's own. */
export type BrokerCounts = {
  clients: number
  messages: number
  /** Refused sign-ins. */
  refused: number
  /** Connections that broke or were cut: malformed, too large, not allowed, silent too long. */
  faults: number
}

export type MqttCredentials = { clientId: string; username: string; password: string }

/** Topic on which the server publishes a client id to make the embedded broker disconnect that client. */
export const DISCONNECT_CLIENT_TOPIC = '$office/cut-off'

/** URL path for MQTT over websockets. */
export const MQTT_WEBSOCKET_PATH = '/mqtt'
