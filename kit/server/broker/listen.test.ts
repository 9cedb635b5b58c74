import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import { silentLogger } from '../base/minimal-logger.ts'
import { connectMqtt, startBroker, type Broker } from './index.ts'
import { createMessageIntake } from './intake.ts'
import { listenAsLeader } from './listen.ts'

let database: ScratchDatabase
let broker: Broker
beforeAll(async () => {
  database = await scratchDatabase('select 1')
  broker = await startBroker({ authenticate: () => Promise.resolve(null) })
})
afterAll(async () => {
  await broker.close()
  await database.drop()
})

it("of several servers one hears, another when it leaves; one without a broker stands in nobody's way", async () => {
  const received: string[] = []
  const serve = async (name: string, url = broker.url) => {
    const messages = await connectMqtt(url)
    const intake = createMessageIntake({
      laneOf: (topic) => topic,
      handle: (_topic, message) => void received.push(`${name} ${String(message)}`),
      aside: () => {},
    })
    const options = { databaseUrl: database.url, messages, log: silentLogger, intervalMs: 20 }
    const lease = listenAsLeader({ 'gw/#': intake }, async () => () => {}, options)
    return { lease, messages }
  }
  const lost = await serve('lost', 'mqtt://127.0.0.1:9')
  const one = await serve('one')
  await vi.waitFor(() => expect(one.lease.isHeld()).toBe(true), { timeout: 5_000 })
  const two = await serve('two')
  const sender = await connectMqtt(broker.url)
  await vi.waitFor(async () => {
    await sender.publish('gw/1/n', 1)
    expect(received).toContain('one 1')
  })
  await one.lease.stop()
  await vi.waitFor(async () => {
    await sender.publish('gw/1/n', 2)
    expect(received).toContain('two 2')
  })
  expect(received).not.toContain('two 1')
  expect(received).not.toContain('one 2')
  for (const { lease, messages } of [lost, one, two]) {
    await lease.stop()
    await messages.close()
  }
  await sender.close()
})
