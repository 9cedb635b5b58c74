import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect, type ErrorWithReasonCode, type IClientPublishOptions, type MqttClient } from 'mqtt'
import { withTimeout } from '../base/in-time.ts'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json } from '../shared/index.ts'
import type { MessageIntake } from './intake.ts'
import { MQTT_MESSAGE_BYTES_MAX, topicMatches } from './topics.ts'

/**
 * A message the broker rejects, which is not retried. `mayHaveArrived`: the broker closed the connection instead of
 * answering, so it may have been delivered.
 */
export class MessageRejectedError extends Error {
  mayHaveArrived: boolean
  constructor(message: string, { mayHaveArrived = false }: { mayHaveArrived?: boolean } = {}) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}

/** MQTT connection to and from devices: MQTT 5, or 3.1.1 if the broker does not support 5. */
export type MqttConnection = {
  /**
   * Publishes a message. Resolves when the broker has acknowledged it (QoS 1) or it was sent (QoS 0). Throws at once
   * without a connection, and after `timeoutMs` without an answer; the message may then still arrive until it expires.
   * Throws `MessageRejectedError` for a message that is too large, that the broker rejects, or over which it repeatedly
   * closed the connection.
   */
  publish(topic: string, message: Json, options?: PublishOptions): Promise<void>
  /** Passes matching messages to the intake (QoS 1), also after reconnections. Returns a function that unsubscribes. */
  subscribe(pattern: string, intake: MessageIntake): Promise<() => Promise<void>>
  state(): 'connected' | 'reconnecting' | 'closed'
  close(): Promise<void>
}

type PublishOptions = {
  qos?: 0 | 1
  retain?: boolean
  /**
   * Seconds after which the message is not delivered, and an id that links it to its request. Only MQTT 5 carries
   * these, so the payload must contain them too.
   */
  expirySeconds?: number
  correlation?: string
}

type Options = {
  /**
   * Fixed client id: the broker keeps QoS 1 messages while this process is away (MQTT 5: as long as the broker allows,
   * at most an hour), and allows only one connection with it. A random id if absent.
   */
  clientId?: string
  /** Intakes by topic pattern, set up before connecting, so that messages the broker kept for `clientId` reach them. */
  intakes?: Record<string, MessageIntake>
  /** Time limit for the broker's answer, in milliseconds. */
  timeoutMs?: number
  log?: MinimalLogger
}

type Subscription = { pattern: string; intake: MessageIntake }

const SESSION_SECONDS = 3_600
/** Default for `timeoutMs`: longer than a busy broker takes, shorter than it takes to detect a dead connection. */
const TIMEOUT_MS = 10_000

const clientOf = (url: string, clientId: string | undefined): MqttClient =>
  connect(url, {
    clientId: clientId ?? `server-${randomUUID()}`,
    clean: clientId === undefined,
    protocolVersion: 5,
    properties: { sessionExpiryInterval: clientId === undefined ? 0 : SESSION_SECONDS },
    reconnectPeriod: 1_000,
    // A broker under maintenance refuses connections for a while.
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    resubscribe: false,
    manualConnect: true,
  })

async function subscribeOrThrow(client: MqttClient, pattern: string): Promise<void> {
  const granted = await client.subscribeAsync(pattern, { qos: 1 })
  if (granted.some(({ qos }) => qos >= 128)) throw new Error(`The broker refuses the subscription to ${pattern}`)
}

/** Starts connecting and resolves at the first success or failure. */
const firstResponse = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['connect', 'error', 'close'] as const) client.once(event, () => resolve())
    client.connect()
  })

/** Reason codes for "unacceptable protocol version", of MQTT 3.1.1 and of 5. */
const NO_SUCH_VERSION = [1, 132]

/**
 * Passes messages to the intakes. The client acknowledges a message as soon as it is queued, not when it is handled: it
 * takes one message at a time, so waiting would block all. Where loss matters, the handler acknowledges with a message
 * of its own.
 */
function dispatchMessage(client: MqttClient, subscriptions: ReadonlySet<Subscription>) {
  client.handleMessage = ({ topic, payload, retain }, done) => {
    const meant = [...subscriptions].filter(({ pattern }) => topicMatches(pattern, topic))
    void Promise.all(meant.map(({ intake }) => intake.take(topic, Buffer.from(payload), retain))).then(() => done())
  }
}

function optionsOf(client: MqttClient, { qos = 1, retain = false, ...rest }: PublishOptions): IClientPublishOptions {
  if (client.options.protocolVersion !== 5) return { qos, retain }
  const { expirySeconds, correlation } = rest
  return {
    qos,
    retain,
    properties: {
      ...(expirySeconds !== undefined && { messageExpiryInterval: expirySeconds }),
      ...(correlation !== undefined && { correlationData: Buffer.from(correlation) }),
    },
  }
}

/** A message is dropped after so many attempts that each ended with a closed connection. */
const SENT_MAX = 3
const REMOVED = 'Message removed'
/** MQTT 5 reason codes from here on are errors. */
const NO_FROM = 128

/**
 * Drops a message over which the broker closes the connection again and again: the client would resend it after each
 * reconnection, and no other message would get through.
 */
function dropWhatIsRefused(client: MqttClient, log: MinimalLogger) {
  const sent = new Map<number, { times: number; topic: string }>()
  client.on('packetsend', (packet) => {
    if (packet.cmd !== 'publish' || !packet.qos || packet.messageId === undefined) return
    sent.set(packet.messageId, { times: (sent.get(packet.messageId)?.times ?? 0) + 1, topic: packet.topic })
  })
  client.on('packetreceive', (packet) => {
    if (packet.cmd === 'puback') sent.delete(packet.messageId!)
  })
  client.on('close', () => {
    for (const [id, { times, topic }] of sent) {
      if (times < SENT_MAX) continue
      sent.delete(id)
      log.error({ topic }, `The MQTT broker ended the connection ${times} times over a message; it is dropped`)
      client.removeOutgoingMessage(id)
    }
  })
}

/**
 * Returns a function that gives the maximum payload size for a topic: the broker's announced packet size less header,
 * but at most our own limit.
 */
function boundOf(client: MqttClient) {
  let most = Infinity
  client.on('connect', ({ properties }) => (most = properties?.maximumPacketSize ?? Infinity))
  return (topic: string) => Math.min(MQTT_MESSAGE_BYTES_MAX, most - HEAD_BYTES - Buffer.byteLength(topic))
}

/** Allowance for the MQTT header without the topic. */
const HEAD_BYTES = 64

/** Turns the broker's rejection into `MessageRejectedError`; returns other errors unchanged. */
function notTaken(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.message === REMOVED)
    return new MessageRejectedError('The broker ended the connection over it each time', { mayHaveArrived: true })
  return Number((error as ErrorWithReasonCode).code) >= NO_FROM ? new MessageRejectedError(error.message) : error
}

/** A connection that reconnects by itself and then renews its subscriptions. */
async function connection(
  url: string,
  clientId: string | undefined,
  log: MinimalLogger,
  subscriptions: ReadonlySet<Subscription> = new Set(),
): Promise<{ client: MqttClient; bound: (topic: string) => number }> {
  const client = clientOf(url, clientId)
  dispatchMessage(client, subscriptions)
  dropWhatIsRefused(client, log)
  const bound = boundOf(client)
  client.on('error', (err) => {
    log.warn({ err }, 'The connection to the MQTT broker broke')
    if (NO_SUCH_VERSION.includes(Number((err as ErrorWithReasonCode).code))) client.options.protocolVersion = 4
  })
  client.on('connect', () => {
    // Websocket streams lack this method and set it themselves.
    ;(client.stream as Partial<Socket>).setNoDelay?.(true)
    for (const { pattern } of subscriptions)
      subscribeOrThrow(client, pattern).catch((err: unknown) => log.error({ err, pattern }, 'A subscription failed'))
  })
  await firstResponse(client)
  return { client, bound }
}

/**
 * Connects to an MQTT broker and reconnects by itself. Resolves after the first success or failure, so that the server
 * starts without a broker; see `state`. Receives over a second connection: it stalls while an intake is full, and on a
 * single one that would also block the acknowledgements of what is published, which message handlers may wait for.
 */
export async function connectMqtt(url: string, options: Options = {}): Promise<MqttConnection> {
  const { clientId, intakes = {}, timeoutMs = TIMEOUT_MS, log = silentLogger } = options
  const subscriptions = new Set<Subscription>()
  for (const [pattern, intake] of Object.entries(intakes)) subscriptions.add({ pattern, intake })
  const { client: sender, bound } = await connection(url, undefined, log)
  const connectReceiver = async () => (await connection(url, clientId, log, subscriptions)).client
  let connecting = subscriptions.size ? connectReceiver() : undefined
  let receiver = await connecting
  const connectedReceiver = async (): Promise<MqttClient> => (receiver = await (connecting ??= connectReceiver()))

  return {
    async publish(topic, message, publishOptions = {}) {
      if (!sender.connected) throw new Error('The MQTT broker is not connected')
      const payload = JSON.stringify(message)
      const most = bound(topic)
      if (Buffer.byteLength(payload) > most)
        throw new MessageRejectedError(
          `A message of ${Buffer.byteLength(payload)} bytes is more than the ${most} the broker takes`,
        )
      const given = sender.publishAsync(topic, payload, optionsOf(sender, publishOptions)).catch((error: unknown) => {
        throw notTaken(error)
      })
      await withTimeout(given, timeoutMs, () => new Error(`The MQTT broker did not answer in ${timeoutMs} ms`))
    },
    async subscribe(pattern, intake) {
      const client = await connectedReceiver()
      const subscription = { pattern, intake }
      subscriptions.add(subscription)
      try {
        if (client.connected) await subscribeOrThrow(client, pattern)
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
    state: () =>
      sender.connected && receiver?.connected !== false
        ? 'connected'
        : sender.disconnecting
          ? 'closed'
          : 'reconnecting',
    async close() {
      await Promise.all([sender.endAsync(true), (await connecting)?.endAsync(true)])
    },
  }
}
