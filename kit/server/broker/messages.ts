import { randomUUID } from 'node:crypto'
import { connect } from 'mqtt'
import type { IPublishPacket, MqttClient } from 'mqtt'
import { silent } from '../shared/index.ts'
import type { Json, Reporter } from '../shared/index.ts'
import { topicMatches } from './topics.ts'

/** Messages to and from devices. Safe for MQTT 3.1.1: no shared subscriptions, so each process hears everything. */
export type Messages = {
  /** Resolves when the broker has it (QoS 1), or when it is sent (QoS 0); throws at once while there is no broker. */
  publish(topic: string, message: Json, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>
  /**
   * A QoS 1 message is acknowledged after its handlers are done, so what they stored is safe. A handler that throws is
   * tried again three times; then the message is reported and let go. Holds over reconnections.
   */
  subscribe(pattern: string, handler: MessageHandler, options?: { qos?: 0 | 1 }): Promise<() => Promise<void>>
  state(): 'connected' | 'reconnecting' | 'closed'
  close(): Promise<void>
}

type MessageHandler = (message: Json, from: { topic: string; retained: boolean }) => void | Promise<void>

type Options = {
  /** A lasting name makes the broker keep QoS 1 messages while this process is away. */
  clientId?: string
  /** In place before the connection, so that what the broker kept for a lasting name finds its handlers. */
  handlers?: Record<string, MessageHandler>
  log?: Reporter
  retryMs?: number[]
}

type Subscription = { pattern: string; handler: MessageHandler; qos: 0 | 1 }

/** Gives a message to all handlers it is for; resolves when each is done with it or has given up. */
function createDelivery(subscriptions: ReadonlySet<Subscription>, log: Reporter, retryMs: readonly number[]) {
  async function persist(topic: string, call: () => void | Promise<void>) {
    for (const waitMs of [...retryMs, undefined]) {
      try {
        return await call()
      } catch (err) {
        if (waitMs === undefined) return log.error({ err, topic }, 'A message could not be handled and was let go')
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }

  return async ({ topic, payload, retain }: IPublishPacket): Promise<void> => {
    const handlers = [...subscriptions].filter(({ pattern }) => topicMatches(pattern, topic))
    if (handlers.length === 0) return
    const message = parse(payload)
    if (message === undefined) {
      log.warn({ topic, bytes: payload.length }, 'A message is no JSON and was dropped')
      return
    }
    await Promise.all(
      handlers.map(({ handler }) => persist(topic, () => handler(message, { topic, retained: retain }))),
    )
  }
}

const clientOf = (url: string, clientId: string | undefined): MqttClient =>
  connect(url, {
    clientId: clientId ?? `server-${randomUUID()}`,
    clean: clientId === undefined,
    protocolVersion: 4,
    reconnectPeriod: 1_000,
    connectTimeout: 10_000,
    resubscribe: false,
    manualConnect: true,
  })

async function ask(client: MqttClient, { pattern, qos }: Subscription): Promise<void> {
  const granted = await client.subscribeAsync(pattern, { qos })
  if (granted.some((one) => one.qos === 128)) throw new Error(`The broker refuses the subscription to ${pattern}`)
}

/** Resolves with the first success or failure. */
const firstWord = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['connect', 'error', 'close'] as const) client.once(event, () => resolve())
    client.connect()
  })

/**
 * Connects to the embedded broker or to another and comes back by itself. Resolves with the first success or failure:
 * a broker that is away does not keep the server from starting, `state` tells.
 */
export async function connectMqtt(url: string, options: Options = {}): Promise<Messages> {
  const { clientId, handlers = {}, log = silent, retryMs = [100, 1_000, 5_000] } = options
  const subscriptions = new Set(
    Object.entries(handlers).map(([pattern, handler]): Subscription => ({ pattern, handler, qos: 1 })),
  )
  const deliver = createDelivery(subscriptions, log, retryMs)
  const client = clientOf(url, clientId)
  client.handleMessage = (packet, done) => void deliver(packet).then(() => done(), done)
  client.on('error', (err) => log.warn({ err }, 'The connection to the MQTT broker broke'))
  client.on('connect', () => {
    for (const one of subscriptions)
      ask(client, one).catch((err: unknown) => log.error({ err, pattern: one.pattern }, 'A subscription failed'))
  })
  await firstWord(client)

  return {
    async publish(topic, message, { qos = 1, retain = false } = {}) {
      if (!client.connected) throw new Error('The MQTT broker is not connected')
      await client.publishAsync(topic, JSON.stringify(message), { qos, retain })
    },
    async subscribe(pattern, handler, { qos = 1 } = {}) {
      const subscription = { pattern, handler, qos }
      subscriptions.add(subscription)
      try {
        if (client.connected) await ask(client, subscription)
      } catch (err) {
        subscriptions.delete(subscription)
        throw err
      }
      return async () => {
        subscriptions.delete(subscription)
        const isShared = [...subscriptions].some((other) => other.pattern === pattern)
        if (client.connected && !isShared) await client.unsubscribeAsync(pattern)
      }
    },
    state: () => (client.connected ? 'connected' : client.disconnecting ? 'closed' : 'reconnecting'),
    async close() {
      await client.endAsync(true)
    },
  }
}

function parse(payload: Buffer | string): Json | undefined {
  try {
    return JSON.parse(payload.toString())
  } catch {
    return undefined
  }
}
