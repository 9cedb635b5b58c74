import { randomUUID } from 'node:crypto'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json } from '../shared/index.ts'
import { createMessageIntake } from './intake.ts'
import { connectMqtt, type MqttConnection } from './mqtt-connection.ts'
import { DISCONNECT_CLIENT_TOPIC } from './protocol.ts'
import { requireValidTopicGrant, type TopicGrant } from './topics.ts'

/**
 * Grants MQTT clients access to the broker, from any process. The embedded broker asks this server at each sign-in,
 * like one with an HTTP authenticator; Mosquitto keeps its own list of clients, which is updated here.
 */
export type BrokerAccess = {
  /** Lets a client sign in with this secret, for these topics only; replaces any earlier grant. */
  grant(clientId: string, secret: string, topics: TopicGrant): Promise<void>
  /** Withdraws the client's access and ends its session at once. */
  revoke(clientId: string): Promise<void>
  close(): Promise<void>
}

export function createBrokerAccess(
  env: NodeJS.ProcessEnv,
  messages: MqttConnection,
  log: MinimalLogger = silentLogger,
): BrokerAccess {
  if (env.MQTT_ACCESS === 'dynsec') return createDynsecAccess(env.MQTT_ADMIN_URL!, env.MQTT_URL ?? '', log)
  return {
    grant: async (_clientId, _secret, topics) => void requireValidTopicGrant(topics),
    revoke: (clientId) => messages.publish(DISCONNECT_CLIENT_TOPIC, clientId),
    close: async () => {},
  }
}

type Command = { command: string; [key: string]: Json }
type Errand = { commands: Command[]; resolve: () => void; reject: (err: Error) => void }
type Answer = { responses: { command: string; correlationData?: string; error?: string }[] }

const CONTROL = '$CONTROL/dynamic-security/v1'
/** Commands sent in one message: hashing a secret blocks the broker for milliseconds. */
const ERRANDS_A_MESSAGE = 10
const ANSWER_MS = 30_000
/** Errors that mean the wanted state already exists. */
const AS_IT_SHOULD = /^(?:create\w+:.* already exists|(?:disable|delete)\w+:.* not found)$/i

/**
 * Access through Mosquitto's dynamic security plugin. The server's own accounts are created by hand
 * (docs/operations.md).
 */
function createDynsecAccess(adminUrl: string, officeUrl: string, log: MinimalLogger): BrokerAccess {
  const ours = [adminUrl, officeUrl].map((url) => (URL.canParse(url) ? decodeURIComponent(new URL(url).username) : ''))
  const desk = createDesk(adminUrl, log)
  // A client with the name of one of the server's own accounts would get its rights or take them away.
  const check = (clientId: string) => {
    if (ours.includes(clientId)) throw new Error(`"${clientId}" is an account of the office's own`)
  }
  return {
    async grant(clientId, secret, topics) {
      check(clientId)
      if (!clientId || !secret) throw new Error('A client needs a name and a secret')
      await desk.send(grantCommands(clientId, secret, requireValidTopicGrant(topics)))
    },
    async revoke(clientId) {
      check(clientId)
      const client = { username: clientId }
      await desk.send([
        { command: 'disableClient', ...client },
        { command: 'deleteClient', ...client },
        { command: 'deleteRole', rolename: roleOf(clientId) },
      ])
    },
    close: () => desk.close(),
  }
}

const roleOf = (clientId: string) => `client ${clientId}`

/**
 * Commands that create a role and account for the client. Each client has its own role with explicit topics, since
 * Mosquitto 2.0 does not substitute the client id in a role's topic patterns.
 */
function grantCommands(clientId: string, secret: string, { publish, subscribe }: TopicGrant): Command[] {
  const rolename = roleOf(clientId)
  const allowed = (acltype: string) => (prefix: string) => ({ acltype, topic: `${prefix}#`, priority: 0, allow: true })
  const acls = [
    ...publish.map(allowed('publishClientSend')),
    ...subscribe.map(allowed('subscribePattern')),
    ...subscribe.map(allowed('publishClientReceive')),
  ]
  return [
    { command: 'createRole', rolename },
    { command: 'modifyRole', rolename, acls },
    { command: 'createClient', username: clientId, clientid: clientId },
    {
      command: 'modifyClient',
      username: clientId,
      clientid: clientId,
      password: secret,
      roles: [{ rolename, priority: 0 }],
    },
    { command: 'enableClient', username: clientId },
  ]
}

type Open = Map<string, (error: string | undefined) => void>

/** Waits for the answers to these commands; returns the first real error, or undefined. */
async function faultOf(ids: string[], open: Open): Promise<string | undefined> {
  const each = ids.map((id) => new Promise<string | undefined>((resolve) => open.set(id, resolve)))
  const all = await Promise.all(each)
  for (const id of ids) open.delete(id)
  return all.find((error) => error && !AS_IT_SHOULD.test(error))
}

/**
 * Sends command groups one message after the other, each with all that have gathered meanwhile, and waits for the
 * answers.
 */
function createDesk(adminUrl: string, log: MinimalLogger) {
  const errands: Errand[] = []
  const open: Open = new Map()
  let messages: Promise<MqttConnection> | undefined
  let isSending = false

  const answers = createMessageIntake({
    laneOf: () => '',
    handle: (_topic, message) => {
      for (const { command, correlationData = '', error } of (message as Answer).responses)
        open.get(correlationData)?.(error && `${command}: ${error}`)
    },
    aside: (topic, _payload, reason) => log.warn({ topic, reason }, 'The broker has answered what is no answer'),
  })
  const connected = () => (messages ??= connectMqtt(adminUrl, { log, intakes: { [`${CONTROL}/response`]: answers } }))

  async function deliver(some: Errand[]): Promise<void> {
    const pending = some.map((errand) => ({ errand, ids: errand.commands.map(() => randomUUID()) }))
    const ends = pending.map(async ({ errand, ids }) => {
      const fault = await faultOf(ids, open)
      if (fault) errand.reject(new Error(`The MQTT broker has not done it: ${fault}`))
      else errand.resolve()
    })
    const giveUp = (why: string) => pending.forEach(({ ids }) => ids.forEach((id) => open.get(id)?.(why)))
    const late = setTimeout(giveUp, ANSWER_MS, 'it does not answer its administrator')
    const commands = pending.flatMap(({ errand, ids }) =>
      errand.commands.map((command, n) => ({ ...command, correlationData: ids[n]! })),
    )
    try {
      await (await connected()).publish(CONTROL, { commands })
    } catch (err) {
      giveUp((err as Error).message)
    }
    await Promise.all(ends)
    clearTimeout(late)
  }

  async function deliverAll(): Promise<void> {
    if (isSending) return
    isSending = true
    while (errands.length) await deliver(errands.splice(0, ERRANDS_A_MESSAGE))
    isSending = false
  }

  return {
    send: (commands: Command[]) =>
      new Promise<void>((resolve, reject) => {
        errands.push({ commands, resolve, reject })
        setImmediate(() => void deliverAll())
      }),
    close: async () => (await messages)?.close(),
  }
}
