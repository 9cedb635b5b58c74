import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { Aedes } from 'aedes'
import type { AuthenticateError, Client } from 'aedes'
import type { BrokerSettings, FromBroker, ToBroker } from './protocol.ts'
import { mayPublish, maySubscribe } from './topics.ts'
import type { TopicGrant } from './topics.ts'

/** The broker's own thread: a burst of device messages must not delay an answer over HTTP. */
const settings = workerData as BrokerSettings
const server = parentPort!
const tell = (message: FromBroker) => server.postMessage(message)

const refusal: AuthenticateError = Object.assign(new Error('Refused'), { returnCode: 5 })
const unlimited = 'everything'
const grants = new WeakMap<Client, TopicGrant | typeof unlimited>()
const waiting = new Map<number, (grant: TopicGrant | null) => void>()
let lastQuestion = 0

function ask(clientId: string, username: string, password: string): Promise<TopicGrant | null> {
  const id = ++lastQuestion
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    tell({ kind: 'authenticate', id, credentials: { clientId, username, password } })
  })
}

/** Milliseconds a client must wait before its next message is taken, so that it is never above its rate for long. */
const budgets = new WeakMap<Client, { tokens: number; at: number }>()
function delayOf(client: Client): number {
  const { messagesPerSecond: rate } = settings
  const burst = rate * 4
  const now = performance.now()
  const budget = budgets.get(client) ?? { tokens: burst, at: now }
  budget.tokens = Math.min(burst, budget.tokens + ((now - budget.at) / 1000) * rate) - 1
  budget.at = now
  budgets.set(client, budget)
  return budget.tokens >= 0 ? 0 : (-budget.tokens / rate) * 1000
}

const broker = await Aedes.createBroker({
  concurrency: 500,
  queueLimit: 1_000,
  authenticate(client, username = '', passwordBytes, done) {
    const password = passwordBytes?.toString() ?? ''
    if (username === settings.serverUsername && password === settings.serverPassword) {
      grants.set(client, unlimited)
      return done(null, true)
    }
    void ask(client.id, username, password).then((grant) => {
      if (grant) grants.set(client, grant)
      done(grant ? null : refusal, grant !== null)
    })
  },
  authorizePublish(client, packet, done) {
    const grant = client && grants.get(client)
    if (!client || grant === unlimited) return done(null)
    // Aedes closes the connection on a refusal: MQTT 3.1.1 knows no other answer to a publisher.
    if (!grant || !mayPublish(grant, packet.topic)) return done(new Error(`May not publish to ${packet.topic}`))
    const delay = delayOf(client)
    if (delay > 0) setTimeout(done, delay, null)
    else done(null)
  },
  authorizeSubscribe(client, subscription, done) {
    const grant = grants.get(client)
    const isAllowed = grant === unlimited || (grant !== undefined && maySubscribe(grant, subscription.topic))
    if (!isAllowed)
      tell({ kind: 'trouble', clientId: client.id, message: `May not subscribe to ${subscription.topic}` })
    done(null, isAllowed ? subscription : null)
  },
})

const isDevice = (client: Client) => grants.get(client) !== unlimited
broker.on('clientReady', (client) => {
  if (isDevice(client)) tell({ kind: 'connected', clientId: client.id })
})
broker.on('clientDisconnect', (client) => {
  if (isDevice(client)) tell({ kind: 'disconnected', clientId: client.id })
})
for (const event of ['clientError', 'connectionError'] as const) {
  broker.on(event, (client, err) => tell({ kind: 'trouble', clientId: client?.id ?? '', message: err.message }))
}

const listening = createServer((socket) => broker.handle(socket))

server.on('message', (message: ToBroker) => {
  if (message.kind === 'verdict') {
    waiting.get(message.id)?.(message.grant)
    waiting.delete(message.id)
  } else if (message.kind === 'disconnect') {
    clientById(message.clientId)?.close()
  } else {
    broker.close(() => listening.close(() => process.exit(0)))
  }
})

function clientById(id: string): Client | undefined {
  return (broker as unknown as { clients: Record<string, Client> }).clients[id]
}

listening.listen(settings.port, settings.host, () => {
  tell({ kind: 'ready', port: (listening.address() as AddressInfo).port })
})
