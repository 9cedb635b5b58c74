import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect } from 'mqtt'
import type { ErrorWithReasonCode, IClientPublishOptions, MqttClient } from 'mqtt'
import { withTimeout } from '../in-time.ts'
import { silentLogger } from '../shared/index.ts'
import type { Json, MinimalLogger } from '../shared/index.ts'
import type { MessageIntake } from './intake.ts'
import { MQTT_MESSAGE_BYTES_MAX, topicMatches } from './topics.ts'

/**
 * A message the broker does not take, and that nobody sends again. `mayHaveArrived` where the broker ended the
 * connection over it instead of saying no.
 */
export class MessageRejectedError extends Error {
  mayHaveArrived: boolean
  constructor(message: string, { mayHaveArrived = false }: { mayHaveArrived?: boolean } = {}) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}

/** Messages to and from devices, over MQTT 5 or, where the broker speaks no 5, over 3.1.1. */
export type MqttConnection = {
  /**
   * Resolves when the broker has it (QoS 1), or when it is sent (QoS 0); throws at once while there is no broker, and
   * soon for one that says nothing: what was handed over may then still arrive, as late as the message itself allows.
   * What is larger than the broker takes, what it refuses and what it ended the connection over again and again is
   * dropped: `MessageRejectedError`.
   */
  publish(topic: string, message: Json, options?: PublishOptions): Promise<void>
  /** Gives what comes to the intake, by QoS 1 and over reconnections. */
  subscribe(pattern: string, intake: MessageIntake): Promise<() => Promise<void>>
  state(): 'connected' | 'reconnecting' | 'closed'
  close(): Promise<void>
}

type PublishOptions = {
  qos?: 0 | 1
  retain?: boolean
  /** Not delivered later than this, and what it belongs to: said by MQTT 5 alone, so the message says them too. */
  expirySeconds?: number
  correlation?: string
}

type Options = {
  /**
   * A lasting name: the broker keeps QoS 1 messages while its process is away (MQTT 5: for as long as the broker lets
   * it, an hour at most), and lets one connection of it live.
   */
  clientId?: string
  /** By pattern, in place before the connection: what the broker kept for a lasting name finds them. */
  intakes?: Record<string, MessageIntake>
  /** How long the broker may take for its word, in milliseconds. */
  timeoutMs?: number
  log?: MinimalLogger
}

type Subscription = { pattern: string; intake: MessageIntake }

const SESSION_SECONDS = 3_600
/** How long who publishes is held: longer than a busy broker takes, shorter than it takes to find a dead connection. */
const PATIENCE_MS = 10_000

const clientOf = (url: string, clientId: string | undefined): MqttClient =>
  connect(url, {
    clientId: clientId ?? `server-${randomUUID()}`,
    clean: clientId === undefined,
    protocolVersion: 5,
    properties: { sessionExpiryInterval: clientId === undefined ? 0 : SESSION_SECONDS },
    reconnectPeriod: 1_000,
    // A broker that is being mended refuses for a while.
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    resubscribe: false,
    manualConnect: true,
  })

async function ask(client: MqttClient, pattern: string): Promise<void> {
  const granted = await client.subscribeAsync(pattern, { qos: 1 })
  if (granted.some(({ qos }) => qos >= 128)) throw new Error(`The broker refuses the subscription to ${pattern}`)
}

/** Resolves with the first success or failure. */
const firstResponse = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['connect', 'error', 'close'] as const) client.once(event, () => resolve())
    client.connect()
  })

/** "Unacceptable protocol version", as 3.1.1 and as 5 say it. */
const NO_SUCH_VERSION = [1, 132]

/**
 * What is handed on is acknowledged at once, before it is handled: MQTT gives a client one message at a time, so that
 * waiting for one would hold all. What must not be lost is acknowledged to its sender by a message of its own.
 */
function dispatchMessage(client: MqttClient, subscriptions: ReadonlySet<Subscription>) {
  client.handleMessage = ({ topic, payload, retain }, done) => {
    const meant = [...subscriptions].filter(({ pattern }) => topicMatches(pattern, topic))
    void Promise.all(meant.map(({ intake }) => intake.take(topic, Buffer.from(payload), retain))).then(() => done())
  }
}

function optionsOf(client: MqttClient, { qos = 1, retain = false, ...said }: PublishOptions): IClientPublishOptions {
  if (client.options.protocolVersion !== 5) return { qos, retain }
  const { expirySeconds, correlation } = said
  return {
    qos,
    retain,
    properties: {
      ...(expirySeconds !== undefined && { messageExpiryInterval: expirySeconds }),
      ...(correlation !== undefined && { correlationData: Buffer.from(correlation) }),
    },
  }
}

/** Sent so often, each time with the connection ended before the broker's word, a message is not sent again. */
const SENT_MAX = 3
const REMOVED = 'Message removed'
/** From here on a reason code of MQTT 5 is a no. */
const NO_FROM = 128

/**
 * Drops what a broker ends the connection over: the client would send it again with each new connection for ever, and
 * with it would fall everything others say.
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

/** As large as the broker takes a message: as it said when it let us in, else as the embedded one does. */
function boundOf(client: MqttClient) {
  let most = Infinity
  client.on('connect', ({ properties }) => (most = properties?.maximumPacketSize ?? Infinity))
  return (topic: string) => Math.min(MQTT_MESSAGE_BYTES_MAX, most - HEAD_BYTES - Buffer.byteLength(topic))
}

/** What MQTT puts before a message, beside its topic. */
const HEAD_BYTES = 64

/** The broker's no, where it is one. */
function notTaken(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.message === REMOVED)
    return new MessageRejectedError('The broker ended the connection over it each time', { mayHaveArrived: true })
  return Number((error as ErrorWithReasonCode).code) >= NO_FROM ? new MessageRejectedError(error.message) : error
}

/** A connection that comes back by itself, and subscribes anew to what is wanted of it. */
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
    // A websocket sets it itself.
    ;(client.stream as Partial<Socket>).setNoDelay?.(true)
    for (const { pattern } of subscriptions)
      ask(client, pattern).catch((err: unknown) => log.error({ err, pattern }, 'A subscription failed'))
  })
  await firstResponse(client)
  return { client, bound }
}

/**
 * Connects to the embedded broker or to another and comes back by itself. Resolves with the first success or failure:
 * a broker that is away does not keep the server from starting, `state` tells. What is heard comes over a connection of
 * its own: it stands still while an intake is full, and on one line with it would stand the broker's word for what was
 * said, which those may wait for whose messages fill the intake.
 */
export async function connectMqtt(url: string, options: Options = {}): Promise<MqttConnection> {
  const { clientId, intakes = {}, timeoutMs = PATIENCE_MS, log = silentLogger } = options
  const subscriptions = new Set<Subscription>()
  for (const [pattern, intake] of Object.entries(intakes)) subscriptions.add({ pattern, intake })
  const { client: speaking, bound } = await connection(url, undefined, log)
  const toHear = async () => (await connection(url, clientId, log, subscriptions)).client
  let hearing = subscriptions.size ? toHear() : undefined
  let heard = await hearing
  const hear = async (): Promise<MqttClient> => (heard = await (hearing ??= toHear()))

  return {
    async publish(topic, message, said = {}) {
      if (!speaking.connected) throw new Error('The MQTT broker is not connected')
      const payload = JSON.stringify(message)
      const most = bound(topic)
      if (Buffer.byteLength(payload) > most)
        throw new MessageRejectedError(
          `A message of ${Buffer.byteLength(payload)} bytes is more than the ${most} the broker takes`,
        )
      const given = speaking.publishAsync(topic, payload, optionsOf(speaking, said)).catch((error: unknown) => {
        throw notTaken(error)
      })
      await withTimeout(given, timeoutMs, () => new Error(`The MQTT broker did not answer in ${timeoutMs} ms`))
    },
    async subscribe(pattern, intake) {
      const client = await hear()
      const subscription = { pattern, intake }
      subscriptions.add(subscription)
      try {
        if (client.connected) await ask(client, pattern)
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
      speaking.connected && heard?.connected !== false
        ? 'connected'
        : speaking.disconnecting
          ? 'closed'
          : 'reconnecting',
    async close() {
      await Promise.all([speaking.endAsync(true), (await hearing)?.endAsync(true)])
    },
  }
}
