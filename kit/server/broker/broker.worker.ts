/** Thread of the embedded MQTT broker, so that a burst of device messages does not delay HTTP responses. */
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { Aedes } from 'aedes'
import type { AuthenticateError, Client } from 'aedes'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { DISCONNECT_CLIENT_TOPIC, MQTT_WEBSOCKET_PATH } from './protocol.ts'
import type { BrokerPorts, BrokerSettings, MessageFromBrokerThread, MessageToBrokerThread } from './protocol.ts'
import { mayPublish, maySubscribe, MQTT_MESSAGE_BYTES_MAX } from './topics.ts'
import type { TopicGrant } from './topics.ts'

const settings = workerData as BrokerSettings
const server = parentPort!
const postToMain = (message: MessageFromBrokerThread) => server.postMessage(message)

const refusal: AuthenticateError = Object.assign(new Error('Refused'), { returnCode: 5 })
const NOT_AUTHORIZED = 0x87
const unlimited = 'everything'
const grants = new WeakMap<Client, TopicGrant | typeof unlimited>()
/** Signed-in clients by client id; two for one id while one replaces the other. */
const present = new Map<string, Set<Client>>()
const takenOver = new WeakSet<Client>()
const waiting = new Map<number, { clientId: string; resolve: (grant: TopicGrant | null) => void }>()
let lastQuestion = 0

const counts = { messages: 0, refused: 0, faults: 0 }

const FAULTS_PER_SECOND_MAX = 5
const REPORTED_CLIENTS_MAX = 1_000
const reportedFaults = { second: 0, counts: new Map<string, number>() }
/**
 * Reports a client's fault to the log, at most `FAULTS_PER_SECOND_MAX` for each client and second, so that one client
 * neither fills the log nor hides the faults of others. Clients that are not signed in are counted by IP address,
 * whatever id they claim.
 */
function reportClientFault(client: Client | undefined, message: string) {
  const second = Math.floor(performance.now() / 1000)
  if (reportedFaults.second !== second) Object.assign(reportedFaults, { second, counts: new Map() })
  const source = client && grants.has(client) ? client.id : `from ${addressOf(client)}`
  const times = reportedFaults.counts.get(source) ?? 0
  if (times >= FAULTS_PER_SECOND_MAX || (!times && reportedFaults.counts.size >= REPORTED_CLIENTS_MAX)) return
  reportedFaults.counts.set(source, times + 1)
  postToMain({ kind: 'trouble', clientId: client?.id ?? '', message })
}

const addressOf = (client: Client | undefined): string =>
  client?.req?.socket.remoteAddress ?? (client?.conn as Partial<Socket> | undefined)?.remoteAddress ?? ''

function requestAuthentication(clientId: string, username: string, password: string): Promise<TopicGrant | null> {
  const id = ++lastQuestion
  return new Promise((resolve) => {
    waiting.set(id, { clientId, resolve })
    postToMain({ kind: 'authenticate', id, credentials: { clientId, username, password } })
  })
}

function resolveAuthentication(id: number, grant: TopicGrant | null) {
  waiting.get(id)?.resolve(grant)
  waiting.delete(id)
}

function admit(client: Client, grant: TopicGrant | typeof unlimited) {
  grants.set(client, grant)
  const namesakes = present.get(client.id) ?? new Set()
  for (const other of namesakes) takenOver.add(other)
  present.set(client.id, namesakes.add(client))
  client.conn.once('close', () => {
    namesakes.delete(client)
    if (!namesakes.size) present.delete(client.id)
  })
}

function cutOff(clientId: string) {
  // Also refuses clients that were checked before their secret was withdrawn but are not signed in yet.
  for (const [id, one] of waiting) if (one.clientId === clientId) resolveAuthentication(id, null)
  for (const client of present.get(clientId) ?? []) client.disconnect({ reasonCode: NOT_AUTHORIZED })
}

/** Milliseconds to delay the client's next message, so that it does not exceed its rate for long. */
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

/** Limits of retained messages and of subscriptions for each client, as neither expires. */
const KEPT_MAX = 16
const SUBSCRIPTIONS_MAX = 32
/** Topics with a retained message, by the client id that published it. */
const keptTopics = new Map<string, Set<string>>()

const subscribed = new WeakMap<Client, Set<string>>()

function mayKeep(clientId: string, topic: string, isEmpty: boolean): boolean {
  const kept = keptTopics.get(clientId) ?? new Set()
  if (isEmpty) kept.delete(topic)
  else if (kept.size < KEPT_MAX || kept.has(topic)) kept.add(topic)
  else return false
  if (kept.size) keptTopics.set(clientId, kept)
  else keptTopics.delete(clientId)
  return true
}

type OutgoingMessage = { topic: string; qos?: number; retain?: boolean; payload: string | Buffer }

/** Why a device may not publish this message; undefined if it may. */
function objection(
  clientId: string,
  grant: TopicGrant,
  { topic, qos, retain, payload }: OutgoingMessage,
): string | undefined {
  if (!mayPublish(grant, topic)) return `May not publish to ${topic}`
  // Aedes would store the message until the last packet of the QoS 2 handshake, which may never come.
  if (qos === 2) return 'QoS 2 is not served'
  return retain && !mayKeep(clientId, topic, !payload.length) ? `Keeps more than ${KEPT_MAX} topics` : undefined
}

const isOffice = (username: string | undefined, password: Buffer | undefined) =>
  username === settings.serverUsername && password?.toString() === settings.serverPassword

/** Allowance for the topic and the MQTT header of a message. */
const HEAD_BYTES = 1024
/** Sessions outlive their connection only long enough for a server restart; they are no message queue. */
const SESSION_SECONDS = 60

const broker = await Aedes.createBroker({
  // No limit on messages in delivery: each device waits for its own, and while the server accepts no more of them, its
  // own messages must still get through.
  concurrency: 0,
  queueLimit: 1_000,
  maximumPacketSize: MQTT_MESSAGE_BYTES_MAX + HEAD_BYTES,
  sessionExpiryIntervalLimit: SESSION_SECONDS,
  pendingSessionsLimit: 10_000,
  preConnect(_client, packet, done) {
    // In MQTT 3.1.1 a persistent session never expires and would store messages for a client that may never return.
    if (packet.protocolVersion !== 5) packet.clean = true
    done(null, true)
  },
  authenticate(client, username = '', passwordBytes, done) {
    if (isOffice(username, passwordBytes)) {
      admit(client, unlimited)
      return done(null, true)
    }
    void requestAuthentication(client.id, username, passwordBytes?.toString() ?? '').then((grant) => {
      if (client.closed) return
      if (grant) admit(client, grant)
      done(grant ? null : refusal, grant !== null)
    })
  },
  authorizePublish(client, packet, done) {
    const grant = client && grants.get(client)
    if (!client || grant === unlimited) {
      if (packet.topic === DISCONNECT_CLIENT_TOPIC) cutOff(JSON.parse(String(packet.payload)) as string)
      return done(null)
    }
    // Aedes closes the connection on a refusal, since MQTT 3.1.1 has no error reply to a publisher. With MQTT 5 it
    // would stay open.
    const why = grant ? objection(client.id, grant, packet) : 'Not let in'
    if (why) {
      done(new Error(why))
      if (client.version === 5) client.disconnect({ reasonCode: NOT_AUTHORIZED })
      return
    }
    const delay = delayOf(client)
    if (delay > 0) setTimeout(done, delay, null)
    else done(null)
  },
  authorizeSubscribe(client, subscription, done) {
    const grant = grants.get(client)
    if (grant === unlimited) return done(null, subscription)
    const { topic } = subscription
    // Each subscription scans all retained messages, so it is rate-limited too.
    setTimeout(() => {
      const topics = subscribed.get(client) ?? new Set()
      const isMore = topics.size >= SUBSCRIPTIONS_MAX && !topics.has(topic)
      const isAllowed = grant !== undefined && maySubscribe(grant, topic) && !isMore
      if (isAllowed) subscribed.set(client, topics.add(topic))
      if (!isAllowed) reportClientFault(client, isMore ? 'Subscribes to too much' : `May not subscribe to ${topic}`)
      done(null, isAllowed ? subscription : null)
    }, delayOf(client))
  },
})

const isDevice = (client: Client) => grants.get(client) !== unlimited
broker.on('clientReady', (client) => {
  if (isDevice(client)) postToMain({ kind: 'connected', clientId: client.id })
})
broker.on('clientDisconnect', (client) => {
  if (isDevice(client)) postToMain({ kind: takenOver.has(client) ? 'takenOver' : 'disconnected', clientId: client.id })
})
broker.on('unsubscribe', (topics, client) => topics.forEach((topic) => subscribed.get(client)?.delete(topic)))
for (const event of ['clientError', 'connectionError'] as const) {
  broker.on(event, (client, err) => {
    counts[err === refusal ? 'refused' : 'faults']++
    reportClientFault(client, err.message)
  })
}

// Messages without a client are the broker's own notices about connections.
broker.on('publish', (_packet, client) => {
  if (client) counts.messages++
})

/** One websocket frame may contain several packets. */
const FRAME_BYTES_MAX = 4 * MQTT_MESSAGE_BYTES_MAX

function wsServer(): Server {
  const http = createServer((_request, reply) => void reply.writeHead(426).end())
  const sockets = new WebSocketServer({
    server: http,
    path: MQTT_WEBSOCKET_PATH,
    maxPayload: FRAME_BYTES_MAX,
    handleProtocols: (offered) => offered.has('mqtt') && 'mqtt',
  })
  sockets.on('connection', (socket, request) => broker.handle(createWebSocketStream(socket), request))
  return http
}

const { host, port, tls, ws } = settings
const acceptSocket = (socket: Parameters<typeof broker.handle>[0]) => void broker.handle(socket)
const noDelay = true
const listeners: { name: keyof BrokerPorts; port: number; listening: Server }[] = [
  { name: 'port', port, listening: createTcpServer({ noDelay }, acceptSocket) },
  ...(tls
    ? [{ name: 'tlsPort' as const, port: tls.port, listening: createTlsServer({ ...tls, noDelay }, acceptSocket) }]
    : []),
  ...(ws ? [{ name: 'wsPort' as const, port: ws.port, listening: wsServer() }] : []),
]

server.on('message', (message: MessageToBrokerThread) => {
  if (message.kind === 'verdict') resolveAuthentication(message.id, message.grant)
  else if (message.kind === 'disconnect') cutOff(message.clientId)
  else if (message.kind === 'count') {
    postToMain({ kind: 'counted', counts: { clients: broker.connectedClients, ...counts } })
  } else {
    broker.close(() => {
      const ends = listeners.map(({ listening }) => new Promise((resolve) => listening.close(resolve)))
      void Promise.all(ends).then(() => process.exit(0))
    })
  }
})

const ports = await Promise.all(
  listeners.map(async ({ name, port, listening }) => {
    await new Promise<void>((resolve) => listening.listen(port, host, resolve))
    return [name, (listening.address() as AddressInfo).port] as const
  }),
)
postToMain({ kind: 'ready', ports: Object.fromEntries(ports) as BrokerPorts })
