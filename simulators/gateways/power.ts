import { BAD_PARAMETERS, DONE, NOT_FOUND } from './protocol.ts'
import type { Body, DevicePayload, Kind, Method } from './protocol.ts'

type Switch = { clientId: string; name: string; watts: number; isOn: boolean; energy: number; since: number }
type SwitchPlan = { clientId: string; name: string; watts: number }

const VOLTS = 220
const PART = 100
const NAMES = ['灯光', '冷柜', '空调', '招牌', '排风']

/** Returns the switches described, or so many generated ones. */
export function switchesOf(clientId: string, wanted: SwitchPlan[] | number): SwitchPlan[] {
  if (typeof wanted !== 'number') return wanted
  return Array.from({ length: wanted }, (_, at) => ({
    clientId: `${clientId}-S${at + 1}`,
    name: NAMES[at % NAMES.length]!,
    watts: [60, 250, 900, 120, 45][at % 5]!,
  }))
}

/** Returns a meter reading, after adding the energy used since the last one. */
function readingOf(one: Switch, now: number): DevicePayload {
  if (one.isOn) one.energy += (one.watts * (now - one.since)) / 3_600_000_000
  one.since = now
  const watts = one.isOn ? one.watts : 0
  return {
    clientId: one.clientId,
    power: one.isOn ? 'on' : 'off',
    voltage: VOLTS,
    current: Math.round((watts / VOLTS) * 1_000) / 1_000,
    watts,
    energy: Math.round(one.energy * 1e6) / 1e6,
  }
}

/** Simulates sub-devices with a switch and an energy meter. */
export function createPower(body: Body, plan: SwitchPlan[], kind: Kind, fw: () => string) {
  const switches = new Map(
    plan.map((one): [string, Switch] => [one.clientId, { ...one, isOn: true, energy: 0, since: body.clock.now() }]),
  )
  const reading = (one: Switch) => readingOf(one, body.clock.now())
  const wanted = (one: Switch | undefined, opt: unknown) => (opt === 'toggle' ? !one?.isOn : opt === 'on')
  const report = (one: Switch) => body.event('power.report', reading(one))

  return {
    state: () => [...switches.values()].map(reading),
    report: () => [...switches.values()].forEach(report),
    claim: ({ clientId, opt }: DevicePayload): DevicePayload => ({
      power: wanted(switches.get(clientId as string), opt) ? 'on' : 'off',
    }),
    methods: {
      'sub.power': ({ clientId, opt }) => {
        const one = switches.get(clientId as string)
        if (!one) return { code: NOT_FOUND }
        if (!['on', 'off', 'toggle'].includes(opt as string)) return { code: BAD_PARAMETERS }
        return (end) => {
          reading(one)
          one.isOn = wanted(one, opt)
          body.act('power.switched', { clientId: one.clientId, power: one.isOn ? 'on' : 'off' })
          body.stateChanged()
          report(one)
          end({ code: DONE, data: { power: one.isOn ? 'on' : 'off' } })
        }
      },
      'sub.clear': () => (end) => {
        switches.clear()
        body.act('subs.cleared')
        body.stateChanged()
        end({ code: DONE })
      },
    } satisfies Record<string, Method>,
    /** Returns the answer to `info.sync`, a hundred sub-devices per message. */
    infoParts(tags: readonly string[]): DevicePayload[] {
      const subs = [
        ...[...switches.values()].map(({ clientId, name }, at) => ({
          clientId,
          kind: 'switch',
          address: at + 1,
          name,
        })),
        ...tags.map((tagId, at) => ({ clientId: tagId, kind: 'tag', address: at + 1, name: tagId })),
      ]
      const parts = Math.max(Math.ceil(subs.length / PART), 1)
      return Array.from({ length: parts }, (_, at) => ({
        fw: fw(),
        kind,
        subs: subs.slice(at * PART, (at + 1) * PART),
      }))
    },
  }
}
