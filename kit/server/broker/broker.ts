import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { Worker } from 'node:worker_threads'
import { silentLogger } from '../shared/index.ts'
import type { MinimalLogger } from '../shared/index.ts'
import type {
  BrokerCounts,
  BrokerPorts,
  BrokerSettings,
  MqttCredentials,
  MessageFromBrokerThread,
  TlsListener,
  MessageToBrokerThread,
} from './protocol.ts'
import { requireValidTopicGrant } from './topics.ts'
import type { TopicGrant } from './topics.ts'

export type Broker = BrokerPorts & {
  /** The server's own address with its credentials; they change with each start and open every topic. */
  url: string
  /**
   * Cuts a client off, for example after its secret was reset. What is no thread of this process says it by
   * `createBrokerAccess`.
   */
  disconnect(clientId: string): void
  counts(): Promise<BrokerCounts>
  close(): Promise<void>
}

/** Who is it, and which topics are its own? null refuses; so does a throw. */
export type ClientAuthenticator = (credentials: MqttCredentials) => Promise<TopicGrant | null>

type BrokerOptions = {
  authenticate: ClientAuthenticator
  onConnected?(clientId: string): void
  onDisconnected?(clientId: string): void
  /** Another connection of the same name has ended this one, and is there in its place: `onConnected` follows. */
  onTakenOver?(clientId: string): void
  host?: string
  /** 0 takes a free one, here and below. */
  port?: number
  tls?: TlsListener | undefined
  /** Websockets without TLS, which a proxy in front adds. */
  ws?: { port: number } | undefined
  /** Above this rate a client's messages wait in its connection. */
  messagesPerSecond?: number
  log?: MinimalLogger
}

const serverUsername = 'server'
const restartMs = 500
const closeMsMax = 2_000
const noCounts: BrokerCounts = { clients: 0, messages: 0, refused: 0, faults: 0 }

/** What the thread asks and tells, answered by who knows the clients. */
function createEars(options: BrokerOptions, send: (message: MessageToBrokerThread) => void) {
  const { log = silentLogger } = options

  async function judge(credentials: MqttCredentials): Promise<TopicGrant | null> {
    if (!credentials.username || credentials.username === serverUsername) return null
    try {
      const grant = await options.authenticate(credentials)
      return grant && requireValidTopicGrant(grant)
    } catch (err) {
      log.error({ err, clientId: credentials.clientId }, 'An MQTT client could not be checked and was refused')
      return null
    }
  }

  return async (message: MessageFromBrokerThread): Promise<void> => {
    if (message.kind === 'authenticate') {
      send({ kind: 'verdict', id: message.id, grant: await judge(message.credentials) })
    } else if (message.kind === 'trouble') {
      log.warn({ clientId: message.clientId }, `MQTT: ${message.message}`)
    } else if (message.kind === 'connected') {
      options.onConnected?.(message.clientId)
    } else if (message.kind === 'disconnected') {
      options.onDisconnected?.(message.clientId)
    } else if (message.kind === 'takenOver') {
      options.onTakenOver?.(message.clientId)
    }
  }
}

/** Who wants to know what the thread has counted is told with its next word on that. */
function createCounting() {
  const open: ((counts: BrokerCounts) => void)[] = []
  const hear = (counts: BrokerCounts) => open.splice(0).forEach((tell) => tell(counts))
  return {
    hear,
    /** The thread that was asked has ended. */
    forget: () => hear(noCounts),
    ask: (send: () => void) =>
      new Promise<BrokerCounts>((resolve) => {
        open.push(resolve)
        send()
      }),
  }
}

/** Where this machine finds what listens on a host. */
const fromHere = (host: string) =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host

/** A connection that never said who it is must not hold up the end, and what has ended already ends no more. */
async function ended(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return
  const hard = setTimeout(() => void worker.terminate(), closeMsMax)
  await once(worker, 'exit')
  clearTimeout(hard)
}

/** The embedded MQTT broker, for 3.1.1 and 5, in a thread of its own that is started again if it dies. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { host = '127.0.0.1', messagesPerSecond = 50, log = silentLogger, tls, ws } = options
  const serverPassword = randomBytes(24).toString('base64url')
  let ports: BrokerPorts = { port: options.port ?? 0 }
  let isClosing = false
  let worker: Worker

  const send = (message: MessageToBrokerThread) => worker.postMessage(message)
  const hear = createEars(options, send)
  const counting = createCounting()

  async function run() {
    const workerData: BrokerSettings = {
      host,
      port: ports.port,
      tls: tls && { ...tls, port: ports.tlsPort ?? tls.port },
      ws: ws && { port: ports.wsPort ?? ws.port },
      serverUsername,
      serverPassword,
      messagesPerSecond,
    }
    worker = new Worker(new URL('broker.worker.ts', import.meta.url), { workerData, name: 'mqtt-broker' })
    const ready = new Promise<BrokerPorts>((resolve, reject) => {
      worker.on('message', (message: MessageFromBrokerThread) => {
        if (message.kind === 'ready') {
          counting.forget()
          resolve(message.ports)
        } else if (message.kind === 'counted') counting.hear(message.counts)
        else hear(message).catch((err: unknown) => log.error({ err }, 'A word of the broker was not understood'))
      })
      worker.once('error', reject)
    })
    ports = await ready
    worker.on('error', (err) => log.error({ err }, 'The MQTT broker broke'))
    worker.once('exit', () => {
      if (!isClosing) restart()
    })
  }

  function restart() {
    log.warn(ports, 'The MQTT broker is started again')
    setTimeout(() => {
      if (!isClosing) run().catch(restart)
    }, restartMs).unref()
  }

  await run()
  return {
    ...ports,
    url: `mqtt://${serverUsername}:${serverPassword}@${fromHere(host)}:${ports.port}`,
    counts: () => counting.ask(() => send({ kind: 'count' })),
    disconnect: (clientId) => send({ kind: 'disconnect', clientId }),
    async close() {
      isClosing = true
      send({ kind: 'stop' })
      await ended(worker)
    },
  }
}
