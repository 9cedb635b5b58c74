import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { answers } from '#tests/support/scratch-database.ts'
import type { BrokerAccess } from './access.ts'
import { connectMqtt, createBrokerAccess, startBroker, type MqttConnection } from './index.ts'
import { createMessageIntake } from './intake.ts'

const grantOf = (name: string) => ({ publish: [`ss/1/7/${name}/up/`], subscribe: [`ss/1/7/${name}/down/`] })
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function device(url: string, name: string, password = `secret of ${name}`, clientId = name) {
  const client = await connectAsync(url, { clientId, username: name, password, reconnectPeriod: 0, protocolVersion: 4 })
  open.push({ close: () => client.endAsync(true) })
  return client
}

const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))

it('any process makes the embedded broker cut a client off, and a device cannot', async () => {
  const broker = await startBroker({ authenticate: async ({ clientId }) => grantOf(clientId) })
  open.push(broker)
  const office = await connectMqtt(broker.url)
  open.unshift(office)
  const access = createBrokerAccess({}, office)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const [one, two] = [await device(url, 'gw-one'), await device(url, 'gw-two')]
  const twoEnds = ended(two)
  two.publish('$office/cut-off', '"gw-one"')
  await twoEnds
  expect(one.connected).toBe(true)
  const oneEnds = ended(one)
  await access.revoke('gw-one')
  await oneEnds
})

it('topics that would open more than one client are not granted', async () => {
  const access = createBrokerAccess({}, {} as MqttConnection)
  for (const prefix of ['gw/+/', 'gw/1', '#', '', '$office/'])
    await expect(access.grant('gw-one', 's', { publish: [prefix], subscribe: [] }), prefix).rejects.toThrow('no topic')
})

const plugin = globSync('/usr/{lib,local/lib,lib64}/{*/,}mosquitto_dynamic_security.so')[0]
const mosquitto = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync)

/** Starts a Mosquitto with the server's own accounts set up as in docs/operations.md. */
async function startMosquitto() {
  const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'))
  const file = join(folder, 'dynamic-security.json')
  execFileSync('mosquitto_ctrl', ['dynsec', 'init', file, 'admin', 'admin-secret'], { timeout: 10_000 })
  const port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    // When started by root, Mosquitto drops its rights and could not read its folder.
    `user ${userInfo().username}`,
    'allow_anonymous false',
    'set_tcp_nodelay true',
    'message_size_limit 65536',
    `plugin ${plugin}`,
    `plugin_opt_config_file ${file}`,
  ]
  await writeFile(join(folder, 'mosquitto.conf'), settings.join('\n'))
  const child = spawn(mosquitto!, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' })
  await vi.waitFor(async () => expect(await answers(`mqtt://127.0.0.1:${port}`)).toBe(true), { timeout: 5_000 })
  const dynsec = (...args: string[]) =>
    execFileSync('mosquitto_ctrl', ['-p', String(port), '-u', 'admin', '-P', 'admin-secret', 'dynsec', ...args], {
      timeout: 10_000,
    })
  dynsec('createRole', 'office')
  dynsec('addRoleACL', 'office', 'publishClientSend', 'ss/1/#', 'allow')
  dynsec('addRoleACL', 'office', 'subscribePattern', 'ss/1/#', 'allow')
  dynsec('createClient', 'office', '-p', 'office-secret')
  dynsec('addClientRole', 'office', 'office')
  return { child, folder, port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const installed = describe.skipIf(!mosquitto || !plugin)
installed('Mosquitto with its dynamic security plugin (skipped where it is not installed)', () => {
  let broker: { child: ChildProcess; folder: string; port: number }
  let access: BrokerAccess
  let url: string
  let env: Record<string, string>

  beforeAll(async () => {
    broker = await startMosquitto()
    url = `mqtt://127.0.0.1:${broker.port}`
    env = {
      MQTT_ACCESS: 'dynsec',
      MQTT_URL: `mqtt://office:office-secret@127.0.0.1:${broker.port}`,
      MQTT_ADMIN_URL: `mqtt://admin:admin-secret@127.0.0.1:${broker.port}`,
    }
    access = createBrokerAccess(env, {} as MqttConnection)
  })
  afterAll(async () => {
    await access.close()
    broker.child.kill()
    await once(broker.child, 'exit')
    await rm(broker.folder, { recursive: true })
  })

  async function office() {
    const received: [string, unknown][] = []
    const intake = createMessageIntake({
      laneOf: (topic) => topic,
      handle: (topic, message) => void received.push([topic, message]),
      aside: () => {},
    })
    const messages = await connectMqtt(env.MQTT_URL!, { intakes: { 'ss/1/+/+/up/#': intake } })
    open.push(messages)
    return { messages, heard: received }
  }

  it('lets a device to its own topics, and to no others', async () => {
    await Promise.all(['gw-a', 'gw-b'].map((name) => access.grant(name, `secret of ${name}`, grantOf(name))))
    const { messages, heard } = await office()
    const [a, b] = [await device(url, 'gw-a'), await device(url, 'gw-b')]
    const commands: string[] = []
    for (const each of [a, b]) each.on('message', (topic) => commands.push(topic))
    await a.subscribeAsync('ss/1/7/gw-a/down/#')
    for (const filter of ['ss/1/7/gw-a/down/#', 'ss/1/7/+/down/cmd', '#', 'ss/1/7/gw-b/up/#', '$CONTROL/#'])
      await expect(b.subscribeAsync(filter), filter).rejects.toThrow()
    // Mosquitto accepts messages that are not allowed, and drops them.
    for (const topic of ['ss/1/7/gw-a/up/hello', 'ss/1/7/gw-b/down/cmd', '$CONTROL/dynamic-security/v1'])
      await b.publishAsync(topic, '{}', { qos: 1 })
    await b.publishAsync('ss/1/7/gw-b/up/hello', '{"own":true}', { qos: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['ss/1/7/gw-b/up/hello', { own: true }]]))
    await messages.publish('ss/1/7/gw-a/down/cmd', { id: '1' }, { expirySeconds: 8, correlation: '1' })
    await vi.waitFor(() => expect(commands).toEqual(['ss/1/7/gw-a/down/cmd']))
  })

  it('refuses a wrong secret, and the right one under another name', async () => {
    await access.grant('gw-c', 'right', grantOf('gw-c'))
    await expect(device(url, 'gw-c', 'wrong')).rejects.toThrow()
    await expect(device(url, 'gw-c', 'right', 'gw-a')).rejects.toThrow()
    await device(url, 'gw-c', 'right')
  })

  it('granting again changes secret and topics', async () => {
    await access.grant('gw-d', 'first', grantOf('gw-d'))
    await access.grant('gw-d', 'second', grantOf('gw-e'))
    await expect(device(url, 'gw-d', 'first')).rejects.toThrow()
    const client = await device(url, 'gw-d', 'second')
    await expect(client.subscribeAsync('ss/1/7/gw-d/down/#')).rejects.toThrow()
    await client.subscribeAsync('ss/1/7/gw-e/down/#')
  })

  it('revoking ends the session, lets nobody in, and may be said twice and undone', async () => {
    await access.grant('gw-f', 'secret', grantOf('gw-f'))
    const client = await device(url, 'gw-f', 'secret')
    const end = ended(client)
    await access.revoke('gw-f')
    await end
    await expect(device(url, 'gw-f', 'secret')).rejects.toThrow()
    await access.revoke('gw-f')
    await access.grant('gw-f', 'new', grantOf('gw-f'))
    await device(url, 'gw-f', 'new')
  })

  it("neither grants nor revokes the office's own accounts", async () => {
    for (const name of ['admin', 'office']) {
      await expect(access.grant(name, 's', grantOf(name))).rejects.toThrow('own')
      await expect(access.revoke(name)).rejects.toThrow('own')
    }
  })

  it('says when the broker does not do it', async () => {
    const weak = createBrokerAccess({ ...env, MQTT_ADMIN_URL: 'mqtt://nobody:x@127.0.0.1:9' }, {} as MqttConnection)
    open.push(weak)
    await expect(weak.grant('gw-g', 's', grantOf('gw-g'))).rejects.toThrow('not connected')
    const office = createBrokerAccess({ ...env, MQTT_ADMIN_URL: env.MQTT_URL! }, {} as MqttConnection)
    open.push(office)
    await expect(office.grant('gw-g', 's', grantOf('gw-g'))).rejects.toThrow('Not authorized')
  })

  it('lets in nobody without a name or a secret', async () => {
    await expect(access.grant('', 's', grantOf('gw-g'))).rejects.toThrow('name and a secret')
    await expect(access.grant('gw-g', '', grantOf('gw-g'))).rejects.toThrow('name and a secret')
  })

  it('grants many in few messages', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `many-${n}`)
    await Promise.all(names.map((name) => access.grant(name, name, grantOf(name))))
    expect((await device(url, 'many-59', 'many-59')).connected).toBe(true)
    await Promise.all(names.map((name) => access.revoke(name)))
  })
})
