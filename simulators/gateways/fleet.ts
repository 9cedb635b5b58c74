import type { KeyObject } from 'node:crypto'
import { createRandom } from '#kit/server/base/random.ts'
import { realClock, type Clock } from './clock.ts'
import { createCustomers } from './customers.ts'
import type { DeviceOrder } from './faults.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createMqttTransport, type Protocol } from './mqtt-transport.ts'
import type { Credentials, FaultChange } from './protocol.ts'

export type FleetOptions = {
  url: string
  credentials: Credentials[]
  protocol?: Protocol
  seed?: number
  /** Devices that connect per second when the fleet starts. */
  perSecond?: number
  upgradeKey?: KeyObject | undefined
  clock?: Clock
}

/** Sums up the figures of all devices. */
function figuresOf(gateways: Gateway[]) {
  const each = gateways.map((one) => one.figures())
  const sum = (name: 'sent' | 'heard' | 'lost' | 'connections' | 'boots' | 'queued' | 'eventsLost') =>
    each.reduce((total, one) => total + one[name], 0)
  return {
    gateways: each.length,
    online: each.filter(({ isOnline }) => isOnline).length,
    faulty: gateways.filter((one) => Object.keys(one.faults()).length > 0).length,
    sent: sum('sent'),
    heard: sum('heard'),
    lost: sum('lost'),
    connections: sum('connections'),
    boots: sum('boots'),
    queued: sum('queued'),
    eventsLost: sum('eventsLost'),
  }
}

/** Runs many devices in one process, each with its own connection. */
export function createFleet({
  url,
  credentials,
  protocol = '3.1.1',
  seed = 1,
  perSecond = 200,
  upgradeKey,
  clock = realClock,
}: FleetOptions) {
  const random = createRandom(seed)
  const gateways = new Map(
    credentials.map((one, at): [string, Gateway] => [
      one.clientId,
      createGateway({
        credentials: one,
        transport: createMqttTransport(url, one, protocol),
        clock,
        random: createRandom(seed + at + 1),
        upgradeKey,
      }),
    ]),
  )
  const all = () => [...gateways.values()]
  const customers = createCustomers(all, createRandom(seed))
  const starting = new Set<() => void>()

  /** Returns a random share of the devices, new for each order and repeatable by seed. */
  function drawn(share: number): Gateway[] {
    const left = all()
    return Array.from({ length: Math.round(left.length * Math.min(share, 1)) }, () =>
      left.splice(random.int(0, left.length - 1), 1),
    ).flat()
  }

  return {
    gateways: gateways as ReadonlyMap<string, Gateway>,
    customers,
    start(): void {
      for (const [at, gateway] of all().entries())
        starting.add(clock.after((at * 1_000) / perSecond, () => gateway.start()))
    },
    /** Sets faults on the named devices, on a share, or on all. Returns how many. */
    order({ faults, share, clientIds }: DeviceOrder): number {
      const aimed = clientIds
        ? clientIds.flatMap((clientId) => gateways.get(clientId) ?? [])
        : share === undefined
          ? all()
          : drawn(share)
      for (const gateway of aimed) gateway.setFaults(faults as FaultChange)
      return aimed.length
    },
    figures: () => ({ ...figuresOf(all()), ...customers.figures() }),
    stop(): void {
      for (const stop of starting) stop()
      for (const gateway of all()) gateway.stop()
    },
  }
}

export type Fleet = ReturnType<typeof createFleet>
