import { createRandom } from '#kit/server/base/random.ts'
import { createManualClock } from './clock.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { Credentials, DevicePayload, Session, Transport } from './protocol.ts'

type SentMessage = { topic: string; payload: string; qos: 0 | 1; retain: boolean }

/** A simulated device with a fake broker and server, on a clock that stands still. */
export function createBench(more: Partial<Credentials> = {}, options: Partial<GatewayOptions> = {}) {
  const clock = createManualClock()
  const sent: SentMessage[] = []
  let session: Session | undefined
  let opened = 0
  let serial = 0
  const transport: Transport = {
    open(one) {
      session = one
      opened++
      clock.after(10, () => session === one && one.onUp())
    },
    publish: (topic, payload, how) => void sent.push({ topic, payload, ...how }),
    leave: () => void (session = undefined),
    cut() {
      if (session) sent.push({ ...session.will, qos: 1, retain: true })
      session = undefined
    },
  }

  const gateway = createGateway({
    credentials: { clientId: 'GW000001', tenantId: '000001', secret: 'x', kind: 'gateway', ...more },
    transport,
    clock,
    random: createRandom(7),
    ...options,
  })
  const sentOn = (topic: string) =>
    sent.filter((one) => one.topic === `up/${topic}`).map(({ payload }) => JSON.parse(payload) as DevicePayload)
  const deliver = (topic: string, message: DevicePayload) => session?.onMessage(topic, JSON.stringify(message))

  return {
    clock,
    gateway,
    sent,
    sentOn,
    deliver,
    opened: () => opened,
    /** Breaks the connection. */
    breakLine: () => session?.onDown(),
    /** Switches the device on and lets it connect and send its hello. */
    begin() {
      gateway.start()
      clock.pass(20)
      return this
    },
    command(method: string, params: DevicePayload = {}, given: { id?: string; ts?: number; exp?: number } = {}) {
      const { id = `c${++serial}`, ts = clock.now(), exp = ts + 60_000 } = given
      deliver('cmd', { v: 1, id, method, params, ts, exp, by: 'system' })
      return id
    },
    acks: (id: string) => sentOn('ack').filter((one) => one.id === id),
    results: (id: string) => sentOn('res').filter((one) => one.id === id),
    events: (type: string) => sentOn('evt').filter((one) => one.type === type),
    /** Waits for resolved promises. */
    settle: () => new Promise<void>((done) => setImmediate(done)),
  }
}
export type Bench = ReturnType<typeof createBench>
