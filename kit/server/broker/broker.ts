import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { Worker } from 'node:worker_threads'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type {
  BrokerCounts,
  BrokerPorts,
  BrokerSettings,
  MqttCredentials,
  MessageFromBrokerThread,
  TlsListener,
  MessageToBrokerThread,
} from './protocol.ts'
import { requireValidTopicGrant, type TopicGrant } from './topics.ts'

export type Broker = BrokerPorts & {
  /** URL with the credentials of the server itself; they change at each start and allow all topics. */
  url: string
  /**
   * Disconnects a client, for example after its secret was reset. Other processes do it through `createBrokerAccess`.
   */
  disconnect(clientId: string): void
  counts(): Promise<BrokerCounts>
  close(): Promise<void>
}

/** Checks a client's credentials and returns its topics; null or an exception refuses it. */
export type ClientAuthenticator = (credentials: MqttCredentials) => Promise<TopicGrant | null>

type BrokerOptions = {
  authenticate: ClientAuthenticator
  onConnected?(clientId: string): void
  onDisconnected?(clientId: string): void
  /** A new connection with the same client id has replaced this one; `onConnected` follows. */
  onTakenOver?(clientId: string): void
  host?: string
  /** 0 takes a free port, here and below. */
  port?: number
  tls?: TlsListener | undefined
  /** Websockets without TLS; a reverse proxy adds it. */
  ws?: { port: number } | undefined
  /** Above this rate a client's further messages are delayed. */
  messagesPerSecond?: number
  log?: MinimalLogger
}

const serverUsername = 'server'
const restartMs = 500
const closeMsMax = 2_000
const noCounts: BrokerCounts = { clients: 0, messages: 0, refused: 0, faults: 0 }

/** Handles messages from the broker thread: authenticates clients, logs problems and reports connections. */
function createMessageHandler(options: BrokerOptions, send: (message: MessageToBrokerThread) => void) {
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

/** Pairs requests for statistics with the thread's answer: the next answer resolves all waiting requests. */
function createCounting() {
  const open: ((counts: BrokerCounts) => void)[] = []
  const resolveAll = (counts: BrokerCounts) => open.splice(0).forEach((resolve) => resolve(counts))
  return {
    resolveAll,
    /** The thread has ended; waiting requests get zeros. */
    reset: () => resolveAll(noCounts),
    request: (send: () => void) =>
      new Promise<BrokerCounts>((resolve) => {
        open.push(resolve)
        send()
      }),
  }
}

/** Host under which this machine reaches a listener. */
const fromHere = (host: string) =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host

/**
 * Waits for the thread to exit, and terminates it if that takes too long: a connection that never signed in would hold
 * it up.
 */
async function ended(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return
  const hard = setTimeout(() => void worker.terminate(), closeMsMax)
  await once(worker, 'exit')
  clearTimeout(hard)
}

/** Starts the embedded MQTT broker (3.1.1 and 5) in its own thread, which is restarted if it dies. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { host = '127.0.0.1', messagesPerSecond = 50, log = silentLogger, tls, ws } = options
  const serverPassword = randomBytes(24).toString('base64url')
  let ports: BrokerPorts = { port: options.port ?? 0 }
  let isClosing = false
  let worker: Worker

  const send = (message: MessageToBrokerThread) => worker.postMessage(message)
  const handleMessage = createMessageHandler(options, send)
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
          counting.reset()
          resolve(message.ports)
        } else if (message.kind === 'counted') counting.resolveAll(message.counts)
        else
          handleMessage(message).catch((err: unknown) => log.error({ err }, 'A word of the broker was not understood'))
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
    counts: () => counting.request(() => send({ kind: 'count' })),
    disconnect: (clientId) => send({ kind: 'disconnect', clientId }),
    async close() {
      isClosing = true
      send({ kind: 'stop' })
      await ended(worker)
    },
  }
}
