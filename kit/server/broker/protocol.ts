import type { TopicGrant } from './topics.ts'

/** What the server and its broker thread say to each other. */
export type BrokerSettings = {
  host: string
  port: number
  /** The server's own way in: everything is open to it. */
  serverUsername: string
  serverPassword: string
  messagesPerSecond: number
}

export type FromBroker =
  | { kind: 'ready'; port: number }
  | { kind: 'authenticate'; id: number; credentials: Credentials }
  | { kind: 'connected' | 'disconnected'; clientId: string }
  | { kind: 'trouble'; clientId: string; message: string }

export type ToBroker =
  | { kind: 'verdict'; id: number; grant: TopicGrant | null }
  | { kind: 'disconnect'; clientId: string }
  | { kind: 'stop' }

export type Credentials = { clientId: string; username: string; password: string }
