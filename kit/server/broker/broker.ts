import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { silent } from '../shared/index.ts'
import type { Reporter } from '../shared/index.ts'
import type { BrokerSettings, Credentials, FromBroker, ToBroker } from './protocol.ts'
import { checkGrant } from './topics.ts'
import type { TopicGrant } from './topics.ts'

export type Broker = {
  port: number
  /** The server's own address with its credentials; they change with each start and open every topic. */
  url: string
  /** Cuts a client off, for example after its secret was reset. */
  disconnect(clientId: string): void
  close(): Promise<void>
}

type BrokerOptions = {
  /** Who is it, and which topics are its own? null refuses; so does a throw. */
  authenticate(credentials: Credentials): Promise<TopicGrant | null>
  onConnected?(clientId: string): void
  onDisconnected?(clientId: string): void
  host?: string
  /** 0 takes a free one. */
  port?: number
  /** Above this rate a client's messages wait in its connection. */
  messagesPerSecond?: number
  log?: Reporter
}

const serverUsername = 'server'
const restartMs = 500
const closeMsMax = 2_000

/** What the thread asks and tells, answered by who knows the clients. */
function createEars(options: BrokerOptions, send: (message: ToBroker) => void) {
  const { log = silent } = options

  async function judge(credentials: Credentials): Promise<TopicGrant | null> {
    if (!credentials.username || credentials.username === serverUsername) return null
    try {
      const grant = await options.authenticate(credentials)
      return grant && checkGrant(grant)
    } catch (err) {
      log.error({ err, clientId: credentials.clientId }, 'An MQTT client could not be checked and was refused')
      return null
    }
  }

  return async (message: FromBroker): Promise<void> => {
    if (message.kind === 'authenticate') {
      send({ kind: 'verdict', id: message.id, grant: await judge(message.credentials) })
    } else if (message.kind === 'trouble') {
      log.warn({ clientId: message.clientId }, `MQTT: ${message.message}`)
    } else if (message.kind === 'connected') {
      options.onConnected?.(message.clientId)
    } else if (message.kind === 'disconnected') {
      options.onDisconnected?.(message.clientId)
    }
  }
}

/** The embedded MQTT broker, in a thread of its own that is started again if it dies. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { host = '127.0.0.1', messagesPerSecond = 50, log = silent } = options
  const serverPassword = randomBytes(24).toString('base64url')
  let port = options.port ?? 0
  let isClosing = false
  let worker: Worker

  const send = (message: ToBroker) => worker.postMessage(message)
  const hear = createEars(options, send)

  async function run() {
    const workerData: BrokerSettings = { host, port, serverUsername, serverPassword, messagesPerSecond }
    worker = new Worker(new URL('broker.worker.ts', import.meta.url), { workerData, name: 'mqtt-broker' })
    const ready = new Promise<number>((resolve, reject) => {
      worker.on('message', (message: FromBroker) => {
        if (message.kind === 'ready') resolve(message.port)
        else hear(message).catch((err: unknown) => log.error({ err }, 'A word of the broker was not understood'))
      })
      worker.once('error', reject)
    })
    port = await ready
    worker.on('error', (err) => log.error({ err }, 'The MQTT broker broke'))
    worker.once('exit', () => {
      if (!isClosing) restart()
    })
  }

  function restart() {
    log.warn({ port }, 'The MQTT broker is started again')
    setTimeout(() => {
      if (!isClosing) run().catch(restart)
    }, restartMs).unref()
  }

  await run()
  return {
    get port() {
      return port
    },
    get url() {
      return `mqtt://${serverUsername}:${serverPassword}@${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
    },
    disconnect: (clientId) => send({ kind: 'disconnect', clientId }),
    async close() {
      isClosing = true
      const ended = once(worker, 'exit')
      send({ kind: 'stop' })
      // A connection that never said who it is must not hold up the end.
      const hard = setTimeout(() => void worker.terminate(), closeMsMax)
      await ended
      clearTimeout(hard)
    },
  }
}
