import type { DoorSettings } from './doors.ts'
import { randomUUID, type KeyObject } from 'node:crypto'
import type { Random } from '#kit/server/base/random.ts'
import type { Clock } from './clock.ts'
import { createCommands } from './commands.ts'
import { createLedger } from './ledger.ts'
import { createLink, type Link } from './link.ts'
import { createNoise } from './noise.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createParts, type Parts } from './parts.ts'
import {
  BAD_PARAMETERS,
  DONE,
  type Body,
  type Credentials,
  type DevicePayload,
  type FaultChange,
  type Faults,
  type Method,
  type Transport,
} from './protocol.ts'
import { upload, type Upload } from './screen.ts'
import { download, type Download } from './speaker.ts'
import { createUpgrades } from './upgrade.ts'

export type GatewayOptions = {
  credentials: Credentials
  transport: Transport
  clock: Clock
  random: Random
  /** Public key that upgrades are verified with; without it the device refuses them. */
  upgradeKey?: KeyObject | undefined
  fetchBytes?: Download
  put?: Upload
}

const HEARTBEAT_MS = 30_000
const STATE_MS = 300_000
const REPORT_MS = 900_000
const STATE_DELAY_MS = 200
const ANSWER_MS = 3_000
const APPLY_MS = 500
const newId = () => randomUUID().replaceAll('-', '')

/** Wraps a clock so that a power cut cancels its timers and drops pending work. */
function createSupply(clock: Clock) {
  const running = new Set<() => void>()
  let life = 0
  const powered: Clock = {
    now: clock.now,
    after(ms, call) {
      const stop = clock.after(ms, () => {
        running.delete(stop)
        call()
      })
      running.add(stop)
      return () => {
        running.delete(stop)
        stop()
      }
    },
  }
  return {
    clock: powered,
    /** Wraps a function so that its promise never resolves when the power was cut meanwhile. */
    outlived:
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const begun = life
        const result = await call(...args)
        return begun === life ? result : new Promise<Result>(() => {})
      },
    fail(): void {
      life++
      for (const stop of running) stop()
      running.clear()
    },
  }
}

/** The device's own clock, and its offset to the server's. */
function createTime(clock: Clock) {
  let skewMs = 0
  let offsetMs = 0
  const own = () => clock.now() + skewMs
  return {
    own,
    server: () => own() - offsetMs,
    setAhead: (ms: number) => void (skewMs = ms),
    learn(ms: unknown): void {
      if (typeof ms === 'number') offsetMs = ms
    },
    /** Sets the clock. Returns by how many ms it was ahead. */
    set(now: number): number {
      const off = own() - now
      skewMs -= off
      offsetMs = 0
      return off
    },
  }
}

/** Requests to the server that wait for an answer. */
function createQuestions(clock: Clock, send: (message: DevicePayload) => boolean, ownTime: () => number) {
  const open = new Map<string, (answer: DevicePayload | undefined) => void>()
  const complete = (id: string, answer: DevicePayload | undefined) => {
    const done = open.get(id)
    open.delete(id)
    done?.(answer)
  }
  return {
    ask: (type: string, data: DevicePayload, done: (answer: DevicePayload | undefined) => void): void => {
      const id = newId()
      open.set(id, done)
      send({ id, type, data, ts: ownTime() })
      clock.after(ANSWER_MS, () => complete(id, undefined))
    },
    answered: (message: DevicePayload) => complete(String(message.id), message),
  }
}

/** The state that all parts of a device share. */
function createCore({ credentials, clock, random }: GatewayOptions) {
  const faults: Partial<Faults> = {}
  const has: Body['has'] = (name) => faults[name]
  return {
    credentials,
    clock,
    random,
    faults,
    has,
    supply: createSupply(clock),
    time: createTime(clock),
    ledger: createLedger(clock.now),
    versions: { own: credentials.fw ?? '1.0.0', app: '1.0.0' },
    settings: { relockSeconds: 5, heldSeconds: 60, absentOffice: 'refuse' } as Settings,
    /** Settings of single doors that differ from the others'. */
    apart: new Map<number, Settings>(),
    confVersion: undefined as number | undefined,
    bootId: newId(),
    bootedAt: clock.now(),
    isOn: false,
  }
}
type Core = ReturnType<typeof createCore>

const uptimeOf = ({ clock, bootedAt }: Core) => Math.floor((clock.now() - bootedAt) / 1_000)
/** The device's own firmware is the version `fw` in its hello; any other module is `app`. */
const slotOf = ({ credentials }: Core, module: string) =>
  module === 'gateway' || module === credentials.kind ? 'own' : 'app'

/** Sends the messages a device sends on its own: hello, heartbeats, state. */
function createVoice(core: Core, link: Link, outbox: Outbox, parts: () => Parts) {
  const { random, supply, time } = core
  let isSettling = false

  const vitals = (): DevicePayload => ({
    ts: time.own(),
    bootId: core.bootId,
    uptime: uptimeOf(core),
    fw: core.versions.own,
  })

  function sendState(): void {
    isSettling = false
    const { confVersion } = core
    link.send('state', { ts: time.own(), ...(confVersion === undefined ? {} : { confVersion }), ...parts().state() })
  }

  return {
    sendState,
    /** Sends the state once after several changes in quick succession. */
    stateChanged: (): void => {
      if (isSettling) return
      isSettling = true
      supply.clock.after(STATE_DELAY_MS, sendState)
    },
    wake: () => void (isSettling = false),
    beat: (): void => {
      link.send('hb', {
        ...vitals(),
        cpu: random.int(2, 40),
        mem: { used: random.int(120, 200), total: 498 },
        disk: { used: 2_458, total: 7_168 },
        temp: random.int(38, 55),
        net: { type: 'eth', ip: '192.168.8.1' },
        queued: outbox.size(),
      })
    },
    hello(methods: string[]): void {
      link.send('hello', {
        ...vitals(),
        connId: link.connId(),
        app: core.versions.app,
        hw: `SIM-${core.credentials.kind}`,
        ip: '192.168.8.1',
        mac: '02:00:00:00:00:01',
        caps: [core.credentials.kind, ...methods],
      })
    },
  }
}

/** Switches the device on and off, and completes commands that end after a restart. */
function createCycle(core: Core, link: Link, { onBoot, onFail }: { onBoot: () => void; onFail: () => void }) {
  const { clock, supply, ledger, random, faults } = core
  const afterHello: (() => void)[] = []
  const surviving = new Set<string>()
  let stopBoot = () => {}

  function boot(): void {
    stopBoot()
    Object.assign(core, { bootId: newId(), bootedAt: clock.now(), isOn: true })
    ledger.figures.boots++
    delete faults.powerCut
    onBoot()
    link.open()
  }

  function fail(): void {
    core.isOn = false
    stopBoot()
    supply.fail()
    onFail()
  }

  return {
    boot,
    surviving: surviving as ReadonlySet<string>,
    /** Completes the commands that waited for the restart. */
    settle(): void {
      for (const call of afterHello.splice(0)) call()
      surviving.clear()
    },
    restart(id: string, end: () => void, isForEver = false): void {
      surviving.add(id)
      afterHello.push(end)
      link.leave('reboot')
      fail()
      if (!isForEver) stopBoot = clock.after(random.int(2_000, 5_000), boot)
    },
    cutPower(seconds: number): void {
      link.cut()
      fail()
      ledger.act('powerCut', { seconds })
      stopBoot = clock.after(seconds * 1_000, boot)
    },
    stop: (): void => {
      stopBoot()
      link.leave('clean')
      supply.fail()
    },
  }
}

type Cycle = ReturnType<typeof createCycle>
type Voice = ReturnType<typeof createVoice>

/** Repeats the device's periodic work. */
function createHabits({ random, supply }: Core, voice: Voice, parts: Parts) {
  const every = (ms: number, call: () => void) => {
    const again = () => {
      call()
      supply.clock.after(ms, again)
    }
    // Starts at a random time, so that a whole fleet does not report at once.
    supply.clock.after(random.int(1, ms), again)
  }
  return () => {
    every(HEARTBEAT_MS, voice.beat)
    every(STATE_MS, voice.sendState)
    every(REPORT_MS, parts.report)
    parts.visits.resume()
  }
}

type Settings = DoorSettings & { absentOffice: 'refuse' | 'open' }

/** Returns settings from a message; values that are not valid keep the previous ones. */
function settingsIn(reported: DevicePayload, was: Settings): Settings {
  const { relockSeconds, heldSeconds, absentOffice } = reported
  return {
    relockSeconds: typeof relockSeconds === 'number' ? relockSeconds : was.relockSeconds,
    heldSeconds: typeof heldSeconds === 'number' ? heldSeconds : was.heldSeconds,
    absentOffice: absentOffice === 'open' || absentOffice === 'refuse' ? absentOffice : was.absentOffice,
  }
}

/** Applies settings from the server after a delay. */
function configure(core: Core, { ver, conf }: DevicePayload, done: () => void): void {
  if (typeof ver !== 'number') return
  const wanted = (conf ?? {}) as DevicePayload
  core.supply.clock.after(APPLY_MS, () => {
    core.settings = settingsIn(wanted, core.settings)
    const doors = Array.isArray(wanted.doors) ? (wanted.doors as (DevicePayload | null)[]) : []
    core.apart = new Map(doors.map((door) => [Number(door?.doorNo), settingsIn(door ?? {}, core.settings)]))
    core.confVersion = ver
    done()
  })
}

function ownMethods({ time, ledger }: Core, cycle: Cycle): Record<string, Method> {
  return {
    'gw.reboot': ({ type }, { id }) => {
      if (![1, 2, 3, 4, 5].includes(type as number)) return { code: BAD_PARAMETERS }
      return (end) => {
        ledger.act('rebooted', { type })
        cycle.restart(id, () => end({ code: DONE }))
      }
    },
    'time.sync': ({ now }) => {
      if (typeof now !== 'number') return { code: BAD_PARAMETERS }
      return (end) => end({ code: DONE, data: { offsetMs: time.set(now) } })
    },
  }
}

function bodyOf(core: Core, link: Link, outbox: Outbox, voice: Voice): Body {
  const { supply, random, has, time, ledger } = core
  return {
    clock: supply.clock,
    random,
    has,
    ownTime: time.own,
    serverTime: time.server,
    event: outbox.add,
    progress(id, step, pct) {
      link.send('prog', { id, step, ...(pct === undefined ? {} : { pct }), ts: time.own() })
    },
    stateChanged: voice.stateChanged,
    act: ledger.act,
  }
}

/** Sets faults, clears those that are null, and leaves the others. */
function changeFaults(core: Core, link: Link, cycle: Cycle, wanted: FaultChange): void {
  const { faults, time, ledger } = core
  for (const [name, value] of Object.entries(wanted)) {
    if (value === null) delete faults[name as keyof Faults]
    else Object.assign(faults, { [name]: value })
  }
  if ('clockError' in wanted) time.setAhead(faults.clockError ?? 0)
  if (faults.offline && link.isWanted()) {
    link.cut()
    ledger.act('offline')
  }
  if (wanted.powerCut) cycle.cutPower(wanted.powerCut)
  else if (wanted.offline === null && core.isOn) link.open()
  // Clearing the fault restarts a device that never came back from an upgrade.
  else if (wanted.upgrade === null && !core.isOn && !faults.powerCut) cycle.boot()
  if (wanted.lateWill) link.lateWill(wanted.lateWill)
  delete faults.lateWill
}

type Wiring = { link: Link; outbox: Outbox; voice: Voice; cycle: Cycle; questions: ReturnType<typeof createQuestions> }

/** Creates the device's parts and the commands they execute. */
function createWorks(core: Core, options: GatewayOptions, { link, outbox, voice, cycle, questions }: Wiring) {
  const { supply, versions } = core
  const body = bodyOf(core, link, outbox, voice)
  const fetchBytes = supply.outlived(options.fetchBytes ?? download)
  const parts = createParts(body, {
    credentials: core.credentials,
    settings: (doorNo: number) => core.apart.get(doorNo) ?? core.settings,
    fw: () => versions.own,
    uptimeSeconds: () => uptimeOf(core),
    fetchBytes,
    put: supply.outlived(options.put ?? upload),
    ask: questions.ask,
  })
  const upgrades = createUpgrades(body, {
    fetchBytes,
    key: options.upgradeKey,
    versionOf: (module) => versions[slotOf(core, module)],
    restart(id, { module, version }, end) {
      versions[slotOf(core, module)] = version
      cycle.restart(id, end, core.has('upgrade') === 'neverBack')
    },
  })
  const methods = { ...parts.methods, ...upgrades.methods, ...ownMethods(core, cycle) }
  return { parts, upgrades, methods, commands: createCommands({ core, link, methods, claims: parts.claims }) }
}

/** Simulates one device of docs/gateways.md, with the clock given. */
export function createGateway(options: GatewayOptions) {
  const core = createCore(options)
  const { has, supply, time } = core
  const link = createLink({ ...options, core, onUp, onMessage: (topic, message) => messageHandlers[topic]?.(message) })
  const outbox = createOutbox({ clock: core.clock, link, ledger: core.ledger, newId, ownTime: time.own })
  const questions = createQuestions(supply.clock, (message) => link.send('ask', message), time.own)
  const voice = createVoice(core, link, outbox, () => parts)
  const cycle = createCycle(core, link, { onBoot, onFail })
  const { parts, upgrades, methods, commands } = createWorks(core, options, { link, outbox, voice, cycle, questions })
  const habits = createHabits(core, voice, parts)
  const noise = createNoise(supply.clock, link, has, voice.beat)
  const messageHandlers: Record<string, (message: DevicePayload) => void> = {
    hello: ({ offsetMs }) => time.learn(offsetMs),
    cmd: commands.take,
    query: (message) => {
      commands.query(message)
      if (message.state === true) voice.sendState()
    },
    answer: questions.answered,
    evtack: (message) => void (has('deafEvtack') || outbox.acknowledged(message)),
    desired: (message) => configure(core, message, voice.stateChanged),
  }

  function onUp(): void {
    voice.hello(Object.keys(methods))
    cycle.settle()
    commands.sendUnsent()
    outbox.resend()
    voice.sendState()
  }

  function onBoot(): void {
    voice.wake()
    habits()
    noise.look()
  }

  function onFail(): void {
    parts.powerCut()
    upgrades.powerCut()
    commands.interrupt(cycle.surviving)
  }

  const setFaults = (wanted: FaultChange) => {
    changeFaults(core, link, cycle, wanted)
    if ('paperOut' in wanted) parts.printers.look()
    noise.look()
  }
  return handleOf(core, { link, outbox, parts, cycle, setFaults })
}

type Inside = { link: Link; outbox: Outbox; parts: Parts; cycle: Cycle; setFaults: (wanted: FaultChange) => void }

/** What the fleet and tests can do with a device. */
function handleOf(core: Core, { link, outbox, parts, cycle, setFaults }: Inside) {
  const { credentials, ledger, faults } = core
  return {
    credentials,
    clientId: credentials.clientId,
    ledger,
    parts,
    start: cycle.boot,
    stop: cycle.stop,
    isOnline: link.isUp,
    faults: (): Partial<Faults> => ({ ...faults }),
    setFaults,
    figures: () => ({
      ...ledger.figures,
      isOnline: link.isUp(),
      bootId: core.bootId,
      fw: core.versions.own,
      app: core.versions.app,
      queued: outbox.size(),
      confVersion: core.confVersion,
    }),
  }
}

export type Gateway = ReturnType<typeof createGateway>
