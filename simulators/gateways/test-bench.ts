import { createRandom } from '#kit/server/random.ts'
import { createManualClock } from './clock.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { Credentials, Data, Session, Transport } from './protocol.ts'

type Sent = { topic: string; payload: string; qos: 0 | 1; retain: boolean }

/** A simulated device with a fake broker and server, on a clock that stands still. */
export function createBench(more: Partial<Credentials> = {}, options: Partial<GatewayOptions> = {}) {
  const clock = createManualClock()
  const sent: Sent[] = []
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
  const said = (topic: string) =>
    sent.filter((one) => one.topic === `up/${topic}`).map(({ payload }) => JSON.parse(payload) as Data)
  const say = (topic: string, message: Data) => session?.onMessage(topic, JSON.stringify(message))

  return {
    clock,
    gateway,
    sent,
    said,
    say,
    opened: () => opened,
    /** Breaks the connection. */
    breakLine: () => session?.onDown(),
    /** Switches the device on and lets it connect and send its hello. */
    begin() {
      gateway.start()
      clock.pass(20)
      return this
    },
    command(method: string, params: Data = {}, said: { id?: string; ts?: number; exp?: number } = {}) {
      const { id = `c${++serial}`, ts = clock.now(), exp = ts + 60_000 } = said
      say('cmd', { v: 1, id, method, params, ts, exp, by: 'system' })
      return id
    },
    acks: (id: string) => said('ack').filter((one) => one.id === id),
    results: (id: string) => said('res').filter((one) => one.id === id),
    events: (type: string) => said('evt').filter((one) => one.type === type),
    /** Waits for resolved promises. */
    settle: () => new Promise<void>((done) => setImmediate(done)),
  }
}
export type Bench = ReturnType<typeof createBench>
