import type { TopicGrant } from './topics.ts'

/** What the server and its broker thread say to each other. */
export type BrokerSettings = {
  host: string
  port: number
  tls?: TlsListener | undefined
  ws?: { port: number } | undefined
  /** The server's own way in: everything is open to it. */
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

/** Since the thread began, but for `clients`: those connected now, the server's own among them. */
export type BrokerCounts = {
  clients: number
  messages: number
  /** Sign-ins that were refused. */
  refused: number
  /** Connections that broke or were cut: malformed, too large, not allowed, silent too long. */
  faults: number
}

export type MqttCredentials = { clientId: string; username: string; password: string }

/** What the server's own connections publish here, a client id, is cut off by the embedded broker. */
export const DISCONNECT_CLIENT_TOPIC = '$office/cut-off'

/** Where an MQTT client asks for a websocket. */
export const MQTT_WEBSOCKET_PATH = '/mqtt'
