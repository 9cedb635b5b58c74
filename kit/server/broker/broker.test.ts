import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { connectAsync, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTcpProxy } from '#tests/support/tcp-proxy.ts'
import { mqttAnswers, mqttUrl } from '#tests/support/scratch-database.ts'
import { Aedes, type AuthorizePublishHandler } from 'aedes'
import { connectMqtt, MessageRejectedError, startBroker, type Broker, type MqttConnection } from './index.ts'
import { createMessageIntake } from './intake.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './test-certificate.ts'
import { MQTT_MESSAGE_BYTES_MAX, topicMatches, type TopicGrant } from './topics.ts'
import type { Json } from '../shared/index.ts'

/** Grant for all topics below one prefix, as devices usually have. */
const topicGrantBelow = (prefix: string): TopicGrant => ({ publish: [prefix], subscribe: [prefix] })

let broker: Broker
const log: string[] = []
const presence: string[] = []
const reporter = {
  info: () => {},
  warn: (_details: object, text: string) => void log.push(text),
  error: (_details: object, text: string) => void log.push(text),
}

beforeAll(async () => {
  broker = await startBroker({
    async authenticate({ username, password, clientId }) {
      if (username === 'crash') throw new Error('the database is away')
      return password === `secret of ${username}` && clientId === username ? topicGrantBelow(`gw/${username}/`) : null
    },
    onConnected: (clientId) => presence.push(`+${clientId}`),
    onDisconnected: (clientId) => presence.push(`-${clientId}`),
    onTakenOver: (clientId) => presence.push(`~${clientId}`),
    messagesPerSecond: 100,
    tls: { port: 0, key: TEST_KEY, cert: TEST_CERTIFICATE },
    ws: { port: 0 },
    log: reporter,
  })
})
afterAll(() => broker.close())

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function server(url = broker.url, options: Parameters<typeof connectMqtt>[1] = {}): Promise<MqttConnection> {
  const messages = await connectMqtt(url, options)
  open.push(messages)
  return messages
}

type Handle = Parameters<typeof createMessageIntake>[0]['handle']
const intakeOf = (handle: Handle) => createMessageIntake({ laneOf: (topic) => topic, handle, aside: () => {} })

const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))

async function gateway(
  name: string,
  options: IClientOptions = {},
  url = `mqtt://127.0.0.1:${broker.port}`,
): Promise<MqttClient> {
  const client = await connectAsync(url, {
    clientId: name,
    username: name,
    password: `secret of ${name}`,
    reconnectPeriod: 0,
    protocolVersion: 4,
    ...options,
  })
  open.push({ close: () => client.endAsync(true) })
  return client
}

describe('the embedded broker', () => {
  it('never takes the standard port, which belongs to a broker of the house', () => {
    expect(broker.port).not.toBe(1883)
  })

  it('carries a message from a gateway to the server and an answer back', async () => {
    const office = await server()
    const shop = await gateway('g1')
    const answer = (topic: string, message: Json) =>
      office.publish(topic.replace('status', 'command'), { heard: message })
    await office.subscribe('gw/+/status', intakeOf(answer))
    const answered = new Promise((resolve) =>
      shop.once('message', (_topic, payload) => resolve(JSON.parse(String(payload)))),
    )
    await shop.subscribeAsync('gw/g1/command')
    await shop.publishAsync('gw/g1/status', JSON.stringify({ door: '开' }), { qos: 1 })
    expect(await answered).toEqual({ heard: { door: '开' } })
    expect(office.state()).toBe('connected')
  })

  it.each([
    ['a wrong password', { password: 'guess' }],
    ["another client's name with its own password", { clientId: 'g2' }],
    ['no credentials', { username: '', password: '' }],
    ["the server's name", { username: 'server', password: 'guess' }],
    ['credentials whose check failed', { username: 'crash' }],
  ])('refuses %s', async (_what, options) => {
    await expect(gateway('g1', options)).rejects.toThrow()
  })

  it('a gateway cannot publish outside its own topics, nor as its last will', async () => {
    const office = await server()
    const receivedTopics: string[] = []
    await office.subscribe(
      '#',
      intakeOf((topic) => void receivedTopics.push(topic)),
    )
    for (const topic of ['gw/g2/status', 'gw/g10/status', 'gw/g1', '$SYS/x']) {
      const shop = await gateway('g1')
      const closed = new Promise<void>((resolve) => shop.once('close', () => resolve()))
      shop.publish(topic, '{}', { qos: 0 })
      await closed
    }
    const dying = await gateway('g1', {
      will: { topic: 'gw/g2/status', payload: Buffer.from('{}'), qos: 0, retain: false },
    })
    dying.stream.destroy()
    const proof = await gateway('g3')
    await proof.publishAsync('gw/g3/status', '{}', { qos: 1 })
    await vi.waitFor(() => expect(receivedTopics).toContain('gw/g3/status'))
    expect(receivedTopics).toEqual(['gw/g3/status'])
  })

  it("a gateway cannot listen to another's topics, also not by wildcards", async () => {
    const shop = await gateway('g1')
    for (const filter of ['gw/g2/#', '#', 'gw/+/status', '+/g1/#', 'gw/#', '$SYS/#']) {
      await expect(shop.subscribeAsync(filter), filter).rejects.toThrow()
    }
    expect(await shop.subscribeAsync('gw/g1/#')).toEqual([{ topic: 'gw/g1/#', qos: 0 }])
  })

  it('tells who came and went, and cuts off on demand', async () => {
    const seen = () => presence.filter((entry) => entry.endsWith('g7'))
    const shop = await gateway('g7')
    await vi.waitFor(() => expect(seen()).toEqual(['+g7']))
    const closed = new Promise<void>((resolve) => shop.once('close', () => resolve()))
    broker.disconnect('g7')
    await closed
    await vi.waitFor(() => expect(seen()).toEqual(['+g7', '-g7']))
  })

  it('a last will reaches the server when a gateway falls silent', async () => {
    const office = await server()
    const receivedMessages: unknown[] = []
    await office.subscribe(
      'gw/+/status',
      intakeOf((_topic, message) => void receivedMessages.push(message)),
    )
    const shop = await gateway('g4', {
      will: { topic: 'gw/g4/status', payload: Buffer.from('{"online":false}'), qos: 1, retain: false },
    })
    shop.stream.destroy()
    await vi.waitFor(() => expect(receivedMessages).toEqual([{ online: false }]))
  })

  it('a gateway that floods is slowed down, and loses nothing', async () => {
    const office = await server()
    const receivedMessages: unknown[] = []
    await office.subscribe(
      'gw/g5/n',
      intakeOf((_topic, message) => void receivedMessages.push(message)),
    )
    const shop = await gateway('g5')
    const begin = performance.now()
    for (let n = 0; n < 500; n++) shop.publish('gw/g5/n', String(n), { qos: 0 })
    await vi.waitFor(() => expect(receivedMessages).toHaveLength(500), { timeout: 5_000 })
    expect(performance.now() - begin).toBeGreaterThan(800)
  })

  it('a gateway that wants too much kept for it is cut off, and what it has kept stays', async () => {
    const shop = await gateway('g6')
    const over = ended(shop)
    for (let n = 0; n < 40; n++) shop.publish(`gw/g6/kept/${n}`, 'x', { retain: true })
    await over
    const again = await gateway('g6')
    // Topics already retained may be updated, and clearing one makes room for another.
    await again.publishAsync('gw/g6/kept/1', 'y', { retain: true, qos: 1 })
    await again.publishAsync('gw/g6/kept/2', '', { retain: true, qos: 1 })
    await again.publishAsync('gw/g6/kept/99', 'x', { retain: true, qos: 1 })
    const kept: string[] = []
    again.on('message', (topic, payload) => void kept.push(`${topic}=${String(payload)}`))
    await again.subscribeAsync('gw/g6/kept/#')
    await vi.waitFor(() => expect(kept).toContain('gw/g6/kept/99=x'))
    expect(kept).toHaveLength(16)
    expect(kept).toContain('gw/g6/kept/1=y')
  })

  it('a gateway that subscribes without end is refused, slowed down, and keeps what it had', async () => {
    const shop = await gateway('g7')
    await shop.subscribeAsync('gw/g7/command')
    const begin = performance.now()
    const subscriptions = Array.from({ length: 500 }, (_, n) =>
      shop.subscribeAsync(`gw/g7/${n}`).catch(() => 'refused'),
    )
    const refused = (await Promise.all(subscriptions)).filter((answer) => answer === 'refused')
    expect(refused).toHaveLength(469)
    expect(performance.now() - begin).toBeGreaterThan(800)
    const received = new Promise<string>((resolve) =>
      shop.once('message', (_topic, payload) => resolve(String(payload))),
    )
    await (await server()).publish('gw/g7/command', { open: true })
    expect(await received).toBe('{"open":true}')
    await shop.unsubscribeAsync('gw/g7/1')
    await shop.subscribeAsync('gw/g7/700')
  })

  it.each([4, 5] as const)(
    'what would have to be kept until it is confirmed twice is not taken (%i)',
    async (version) => {
      const shop = await gateway(`g8-${version}`, { protocolVersion: version })
      const over = ended(shop)
      shop.publish(`gw/g8-${version}/n`, 'x', { qos: 2 })
      await over
      expect(shop.connected).toBe(false)
    },
  )

  it('ends in time although a connection never said who it is', async () => {
    const other = await startBroker({ authenticate: () => Promise.resolve(null) })
    const silent = connect(other.port, '127.0.0.1')
    await once(silent, 'connect')
    silent.on('error', () => {})
    await other.close()
    silent.destroy()
    await expect(once(connect(other.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('ends though its thread died a moment before and has not come back yet', async () => {
    const other = await startBroker({ authenticate: () => Promise.resolve(null) })
    const postMessage = vi.spyOn(Worker.prototype, 'postMessage')
    other.disconnect('nobody')
    const thread = postMessage.mock.contexts[0] as Worker
    postMessage.mockRestore()
    await thread.terminate()
    await other.close()
    await expect(once(connect(other.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('a port that is taken stops the start', async () => {
    await expect(startBroker({ authenticate: () => Promise.resolve(null), port: broker.port })).rejects.toThrow(
      'EADDRINUSE',
    )
  })

  it('a message is acknowledged before it is handled, and a bad one holds up nobody', async () => {
    const office = await server()
    const receivedMessages: unknown[] = []
    const aside: string[] = []
    const intake = createMessageIntake({
      laneOf: (topic) => topic,
      handle: (topic, message) => {
        receivedMessages.push(message)
        if (topic === 'gw/g6/n') throw new Error('cannot be stored')
      },
      aside: (topic, payload, reason) => void aside.push(`${reason} ${topic} ${String(payload)}`),
      againMs: 1_000,
    })
    await office.subscribe('gw/+/n', intake)
    const [bad, good] = [await gateway('g6'), await gateway('g8')]
    await bad.publishAsync('gw/g6/n', '"poison"', { qos: 1 })
    await bad.publishAsync('gw/g6/n', '{broken', { qos: 1 })
    await good.publishAsync('gw/g8/n', '"door"', { qos: 1 })
    await vi.waitFor(() => expect(receivedMessages).toEqual(['poison', 'door']))
    await intake.idle()
    expect(receivedMessages).toEqual(['poison', 'door', 'poison'])
    expect(aside).toEqual(['failed gw/g6/n "poison"', 'malformed gw/g6/n {broken'])
  })
})

describe.each([
  ['MQTT 3.1.1', 4],
  ['MQTT 5', 5],
] as const)('the embedded broker over %s', (_name, protocolVersion) => {
  it('answers what fills its intake, one answer for each: who is full goes on speaking', async () => {
    const messages = await server()
    const answered = new Set<number>()
    const intake = createMessageIntake({
      laneOf: (topic) => topic,
      insideMax: 4,
      laneMax: 4,
      handle: async (topic, message) => {
        await messages.publish('gw/answers', message)
        answered.add(message as number)
      },
      aside: () => {},
    })
    await messages.subscribe('gw/+/asks/#', intake)
    const many = await server()
    await Promise.all(Array.from({ length: 200 }, (_, n) => many.publish(`gw/g${n}/asks/n`, n)))
    await vi.waitFor(() => expect(answered.size).toBe(200), { timeout: 10_000 })
  })

  it('tells a connection that was taken over from one that ended', async () => {
    const name = `taken${protocolVersion}`
    const seen = () => presence.filter((entry) => entry.endsWith(name))
    const first = await gateway(name, { protocolVersion })
    const end = ended(first)
    const second = await gateway(name, { protocolVersion })
    await end
    await vi.waitFor(() => expect(seen()).toEqual([`+${name}`, `~${name}`, `+${name}`]))
    expect(second.connected).toBe(true)
    await second.endAsync()
    await vi.waitFor(() => expect(seen().slice(3)).toEqual([`-${name}`]))
  })

  it('refuses a wrong password, and counts it', async () => {
    const before = await broker.counts()
    await expect(gateway('g1', { protocolVersion, password: 'guess' })).rejects.toThrow()
    await vi.waitFor(async () => expect((await broker.counts()).refused).toBe(before.refused + 1))
    expect((await broker.counts()).faults).toBe(before.faults)
  })

  it('a publish elsewhere ends the connection, as a last will it is dropped; a subscription is refused', async () => {
    const office = await server()
    const receivedTopics: string[] = []
    await office.subscribe(
      'gw/#',
      intakeOf((topic) => void receivedTopics.push(topic)),
    )
    const will = { topic: 'gw/g2/status', payload: Buffer.from('{}'), qos: 1 as const, retain: false }
    for (const properties of [{}, { willDelayInterval: 1 }]) {
      const shop = await gateway('g1', {
        protocolVersion,
        will: { ...will, ...(protocolVersion === 5 && { properties }) },
        properties: { sessionExpiryInterval: 30 },
      })
      await expect(shop.subscribeAsync('gw/g2/#')).rejects.toThrow()
      const end = ended(shop)
      shop.publish('gw/g2/status', '{}', { qos: 1 }, () => {})
      await end
    }
    // Longer than the will's delay.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    const proof = await gateway('g3', { protocolVersion })
    await proof.publishAsync('gw/g3/status', '{}', { qos: 1 })
    await vi.waitFor(() => expect(receivedTopics).toContain('gw/g3/status'))
    expect(receivedTopics).toEqual(['gw/g3/status'])
  })

  it('keeps nothing for a device that is away: what may wait is sent after its hello', async () => {
    const office = await server()
    const name = `away${protocolVersion}`
    const lasting = { protocolVersion, clean: false }
    const first = await gateway(name, lasting)
    await first.subscribeAsync(`gw/${name}/cmd`, { qos: 1 })
    await first.endAsync()
    await office.publish(`gw/${name}/cmd`, 'open')
    const receivedPayloads: string[] = []
    const second = await gateway(name, lasting)
    second.on('message', (_topic, payload) => receivedPayloads.push(String(payload)))
    await second.subscribeAsync(`gw/${name}/cmd`, { qos: 1 })
    await office.publish(`gw/${name}/cmd`, 'now')
    await vi.waitFor(() => expect(receivedPayloads).toEqual(['"now"']))
  })

  it('takes a message of 64 KiB, and cuts off who sends a greater one before it is there', async () => {
    const office = await server()
    const receivedLengths: number[] = []
    await office.subscribe(
      'gw/g9/n',
      intakeOf((_topic, message) => void receivedLengths.push((message as string).length)),
    )
    const shop = await gateway('g9', { protocolVersion })
    await shop.publishAsync('gw/g9/n', JSON.stringify('x'.repeat(MQTT_MESSAGE_BYTES_MAX - 2)), { qos: 1 })
    await vi.waitFor(() => expect(receivedLengths).toEqual([MQTT_MESSAGE_BYTES_MAX - 2]))
    const before = await broker.counts()
    const raw = connect(broker.port, '127.0.0.1')
    await once(raw, 'connect')
    const closed = once(raw, 'close')
    raw.on('error', () => {})
    // The header of a CONNECT packet of 256 MB, without its content.
    raw.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]))
    await closed
    expect((await broker.counts()).faults).toBe(before.faults + 1)
  })

  it('serves over TLS and over a websocket as over the plain port', async () => {
    const office = await server()
    const receivedTopics: string[] = []
    await office.subscribe(
      'gw/+/way',
      intakeOf((topic) => void receivedTopics.push(topic)),
    )
    const urls = {
      gtls: `mqtts://localhost:${broker.tlsPort}`,
      gws: `ws://127.0.0.1:${broker.wsPort}/mqtt`,
    }
    for (const [name, url] of Object.entries(urls)) {
      const shop = await gateway(name, { protocolVersion, ca: [TEST_CERTIFICATE] }, url)
      await shop.subscribeAsync(`gw/${name}/down`)
      const answered = new Promise((resolve) => shop.once('message', (_topic, payload) => resolve(String(payload))))
      await shop.publishAsync(`gw/${name}/way`, '{}', { qos: 1 })
      await office.publish(`gw/${name}/down`, name)
      expect(await answered).toBe(JSON.stringify(name))
      await expect(gateway(name, { protocolVersion, ca: [TEST_CERTIFICATE], password: 'x' }, url)).rejects.toThrow()
    }
    await vi.waitFor(() => expect(receivedTopics).toEqual(['gw/gtls/way', 'gw/gws/way']))
    await expect(gateway('g1', { protocolVersion, reconnectPeriod: 0 }, urls.gtls)).rejects.toThrow(/self.signed/)
  })
})

describe('MQTT 5', () => {
  it('carries what a message belongs to, and does not deliver it when its time is over', async () => {
    const office = await server()
    const shop = await gateway('g10', { protocolVersion: 5 })
    const packets: IPublishPacket[] = []
    shop.on('message', (_topic, _payload, packet) => packets.push(packet))
    await office.publish('gw/g10/late', 1, { retain: true, expirySeconds: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await shop.subscribeAsync('gw/g10/#')
    await office.publish('gw/g10/cmd', 'open', { expirySeconds: 8, correlation: 'c1' })
    await vi.waitFor(() => expect(packets).toHaveLength(1))
    expect(packets[0]!.properties).toMatchObject({ messageExpiryInterval: 8, correlationData: Buffer.from('c1') })
  })

  it('is not insisted on: a broker that speaks 3.1.1 alone is spoken to in it', async () => {
    const versions: number[] = []
    const old = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (packet: Buffer) => {
        const version = packet[8]!
        versions.push(version)
        socket.write(Buffer.from([0x20, 2, 0, version === 4 ? 0 : 1]))
        if (version !== 4) socket.end()
      })
    })
    old.listen(0, '127.0.0.1')
    await once(old, 'listening')
    const office = await server(`mqtt://127.0.0.1:${(old.address() as AddressInfo).port}`)
    await vi.waitFor(() => expect(office.state()).toBe('connected'), { timeout: 5_000 })
    expect(versions).toEqual([5, 4])
    await office.publish('x', 1, { qos: 0, expirySeconds: 8, correlation: 'c1' })
    await office.close()
    old.close()
  })
})

describe('ten thousand faults', () => {
  /** Sends these bytes on a new connection: not MQTT, truncated packets, or contradicting flags. */
  async function throwAt(port: number, bytes: Buffer): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    socket.end(bytes)
    await once(socket, 'close')
  }

  it('crash nothing, are counted, do not fill the log, and keep nobody from being served', async () => {
    const office = await server()
    const receivedMessages: unknown[] = []
    await office.subscribe(
      'gw/g11/n',
      intakeOf((_topic, message) => void receivedMessages.push(message)),
    )
    const shop = await gateway('g11')
    const before = await broker.counts()
    log.length = 0
    const kinds = [
      () => randomBytes(24),
      () => Buffer.concat([Buffer.from([0x10, 0x20]), randomBytes(32)]),
      () =>
        Buffer.concat([Buffer.from([0x10, 20, 0, 4]), Buffer.from('MQTT'), Buffer.from([5, 0xff]), randomBytes(12)]),
      () => Buffer.concat([Buffer.from([0x30 | (randomBytes(1)[0]! & 15), 0x10]), randomBytes(16)]),
      () => Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
      () => Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1]),
    ]
    for (let n = 0; n < 10_000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => throwAt(broker.port, kinds[(n + k) % kinds.length]!())))
    await shop.publishAsync('gw/g11/n', '"alive"', { qos: 1 })
    await vi.waitFor(() => expect(receivedMessages).toEqual(['alive']))
    const after = await broker.counts()
    expect(shop.connected).toBe(true)
    expect(log).not.toContain('The MQTT broker broke')
    expect(after.messages).toBe(before.messages + 1)
    expect(after.faults - before.faults).toBeGreaterThan(5_000)
    expect(log.length).toBeLessThan(1_000)
  }, 60_000)
})

const outside = describe.skipIf(!mqttAnswers)
outside('another broker (skipped where none answers at TEST_MQTT_URL, by default port 1883)', () => {
  const root = `test-${randomUUID()}`

  it('serves the same interface', async () => {
    const [one, two] = [await server(mqttUrl), await server(mqttUrl)]
    const received: unknown[] = []
    const intake = intakeOf((topic, message) => void received.push([topic, message]))
    const unsubscribe = await two.subscribe(`${root}/+/status`, intake)
    await one.publish(`${root}/7/status`, { ok: true })
    await vi.waitFor(() => expect(received).toEqual([[`${root}/7/status`, { ok: true }]]))
    await unsubscribe()
    await two.subscribe(
      `${root}/end`,
      intakeOf(() => void received.push('end')),
    )
    await one.publish(`${root}/7/status`, { ok: false })
    await one.publish(`${root}/end`, 1)
    await vi.waitFor(() => expect(received).toContain('end'))
    expect(received).toHaveLength(2)
  })

  it('keeps what was sent while a process with a lasting name was away, and gives it to its intakes', async () => {
    const receivedMessages: unknown[] = []
    const intakes = { [`${root}/kept`]: intakeOf((_topic, message) => void receivedMessages.push(message)) }
    const clientId = `lasting-${randomUUID()}`
    const first = await connectMqtt(mqttUrl, { clientId, intakes })
    const sender = await server(mqttUrl)
    await sender.publish(`${root}/kept`, 'before')
    await vi.waitFor(() => expect(receivedMessages).toEqual(['before']))
    await first.close()
    await sender.publish(`${root}/kept`, 'meanwhile')
    await server(mqttUrl, { clientId, intakes })
    await vi.waitFor(() => expect(receivedMessages).toEqual(['before', 'meanwhile']))
  })
})

describe('a broker that is away', () => {
  it('does not hold up the start; publishing says so at once', async () => {
    const office = await server('mqtt://127.0.0.1:9')
    expect(office.state()).toBe('reconnecting')
    await expect(office.publish('x', 1)).rejects.toThrow('not connected')
  })

  it('or hangs lets go who publishes, and has the message when it is back', async () => {
    const door = await openTcpProxy(broker.url, 1883)
    const receivedMessages: Json[] = []
    const office = await server(door.urlOf(broker.url), { timeoutMs: 200 })
    await (
      await server()
    ).subscribe(
      'gw/hangs',
      intakeOf((_topic, message) => void receivedMessages.push(message)),
    )
    door.hold()
    await expect(office.publish('gw/hangs', 1)).rejects.toThrow('did not answer')
    expect(receivedMessages).toEqual([])
    door.release()
    await vi.waitFor(() => expect(receivedMessages).toEqual([1]))
    await office.publish('gw/hangs', 2)
    await vi.waitFor(() => expect(receivedMessages).toEqual([1, 2]))
    door.shut()
  })
})

describe('topic filters', () => {
  it.each([
    ['gw/+/status', 'gw/1/status', true],
    ['gw/+/status', 'gw/1/2/status', false],
    ['gw/#', 'gw', true],
    ['gw/#', 'gw/1/2', true],
    ['#', '$SYS/load', false],
    ['gw/+', 'gw', false],
    ['gw/1', 'gw/10', false],
  ])('%s and %s match: %s', (filter, topic, matches) => expect(topicMatches(filter, topic)).toBe(matches))
})

/** Starts another broker, which authorises each published message. */
async function strictBroker(authorizePublish: AuthorizePublishHandler): Promise<string> {
  const strict = await Aedes.createBroker({ authorizePublish })
  const listening = createServer(strict.handle)
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  open.push({
    close: async () => {
      await new Promise<void>((resolve) => strict.close(resolve))
      listening.close()
    },
  })
  return `mqtt://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

describe('a message the broker does not take', () => {
  it('for its size never reaches it: nobody else is cut off, and who says it is told', async () => {
    const office = await server()
    const receivedTopics: unknown[] = []
    await office.subscribe(
      'gw/size/#',
      intakeOf((topic) => void receivedTopics.push(topic)),
    )
    const before = await broker.counts()
    const large = { words: '价'.repeat(MQTT_MESSAGE_BYTES_MAX / 3) }
    await expect(office.publish('gw/size/large', large)).rejects.toThrow(MessageRejectedError)
    await office.publish('gw/size/next', { words: '价'.repeat(MQTT_MESSAGE_BYTES_MAX / 3 - 10) })
    await vi.waitFor(() => expect(receivedTopics).toEqual(['gw/size/next']))
    expect(office.state()).toBe('connected')
    expect((await broker.counts()).faults).toBe(before.faults)
  })

  it('for a reason of its own is dropped, and what follows goes on', async () => {
    const url = await strictBroker((_client, { payload }, done) =>
      done(String(payload) === '"bad"' ? new Error('No') : null),
    )
    const office = await server(url)
    await expect(office.publish('a', 'bad')).rejects.toMatchObject({ mayHaveArrived: false })
    await office.publish('a', 'good')
  })

  it('and ends the connection over is sent three times and not for ever, what others say goes on', async () => {
    let seen = 0
    const url = await strictBroker((client, { payload }, done) => {
      if (String(payload) !== '"bad"') return done(null)
      seen++
      client!.conn.destroy()
    })
    const office = await server(url)
    const bad = office.publish('a', 'bad').catch((error: unknown) => error)
    expect(await bad).toMatchObject({ mayHaveArrived: true })
    await vi.waitFor(() => expect(office.state()).toBe('connected'), { timeout: 5_000 })
    await office.publish('a', 'good')
    expect(seen).toBe(3)
  })
})

it('the faults of one client are told however many another makes, and no client fills the log', async () => {
  log.splice(0)
  const [loud, quiet] = [await gateway('loud'), await gateway('quiet')]
  const topics = Array.from({ length: 60 }, (_unused, at) => `gw/loud-${at}/x`)
  await Promise.all(topics.map((topic) => loud.subscribeAsync(topic).catch(() => {})))
  await quiet.subscribeAsync('gw/other/x').catch(() => {})
  await vi.waitFor(() => expect(log.filter((line) => line.includes('gw/other/x'))).toHaveLength(1))
  expect(log.filter((line) => line.includes('gw/loud-')).length).toBeLessThan(topics.length)
})
