import { BAD_PARAMETERS, BROKEN, BUSY, DONE, NOT_FOUND, PRECONDITION } from './protocol.ts'
import type { Body, DevicePayload, Method } from './protocol.ts'

type Contact = 'open' | 'closed'
type Mode = 'normal' | 'hold' | 'keepClosed'
type Door = {
  doorNo: number
  contact: Contact
  lock: 'locked' | 'unlocked' | 'fault'
  mode: Mode
  /** Device time (ms) at which an opened door locks again. */
  openUntil?: number
  /** Device time (ms) at which the mode ends. */
  modeUntil?: number
  isMoving: boolean
  /** An object keeps the leaf from closing. */
  isBlocked: boolean
  timers: Partial<Record<'relock' | 'swing' | 'held' | 'mode', () => void>>
}
export type DoorSettings = { relockSeconds: number; heldSeconds: number }
/** Returns the settings of a door by its number. */
type SettingsOf = (doorNo: number) => DoorSettings

const MOTOR_MS = 150
const SWING_MS = 400
const SECONDS_MAX = 12 * 3_600
const OPTIONS = ['open', 'close', 'hold', 'keepClosed', 'release'] as const
type Option = (typeof OPTIONS)[number]

function wordOf({ lock, mode, modeUntil, openUntil }: Door): DevicePayload {
  const until = modeUntil ?? openUntil
  return { lock, mode, ...(until ? { until } : {}) }
}

function stop(door: Door, ...names: (keyof Door['timers'])[]): void {
  for (const name of names) {
    door.timers[name]?.()
    delete door.timers[name]
  }
}

/** The lock, the contact and the leaf of the doors. */
function createLeaf(body: Body, settings: SettingsOf) {
  function fails(door: Door): boolean {
    if (!body.has('lockStuck')) return false
    if (door.lock !== 'fault') body.event('lock.fault', { doorNo: door.doorNo })
    door.lock = 'fault'
    body.stateChanged()
    return true
  }

  function shut(door: Door): void {
    stop(door, 'swing', 'held')
    if (door.contact === 'closed' || door.isBlocked) return
    door.contact = 'closed'
    body.event('door.closed', { doorNo: door.doorNo })
  }

  function swing(door: Door, by: DevicePayload): void {
    stop(door, 'swing', 'held')
    door.timers.held = body.clock.after(settings(door.doorNo).heldSeconds * 1_000, () => {
      if (door.contact === 'open') body.event('door.held', { doorNo: door.doorNo })
    })
    if (door.contact === 'open') return
    door.contact = 'open'
    body.act('door.opened', { doorNo: door.doorNo, ...by })
    body.event(door.lock === 'locked' ? 'door.forced' : 'door.opened', { doorNo: door.doorNo, ...by })
    body.stateChanged()
  }

  return {
    fails,
    swing,
    /**
     * Closes the leaf and locks. A blocked door stays unlocked until it is free. Returns false when the lock is stuck.
     */
    bolt(door: Door): boolean {
      stop(door, 'relock')
      if (fails(door)) return false
      shut(door)
      if (door.contact === 'closed') {
        if (door.lock !== 'locked') body.act('door.locked', { doorNo: door.doorNo })
        door.lock = 'locked'
        delete door.openUntil
      }
      body.stateChanged()
      return true
    },
    unbolt(door: Door): boolean {
      stop(door, 'relock')
      if (fails(door)) return false
      body.act('door.unlocked', { doorNo: door.doorNo })
      door.lock = 'unlocked'
      body.stateChanged()
      return true
    },
  }
}

type Leaf = ReturnType<typeof createLeaf>

/** Applies the options of `door.control` to a door; false when its lock does not move. */
function createMoves(body: Body, settings: SettingsOf, leaf: Leaf) {
  function hold(door: Door, mode: Mode, seconds: number | undefined): void {
    stop(door, 'mode')
    door.mode = mode
    delete door.modeUntil
    if (seconds === undefined) return
    door.modeUntil = body.ownTime() + seconds * 1_000
    door.timers.mode = body.clock.after(seconds * 1_000, () => {
      door.mode = 'normal'
      delete door.modeUntil
      leaf.bolt(door)
    })
  }

  function open(door: Door, seconds: number | undefined, by: DevicePayload): boolean {
    if (door.mode === 'hold') return !leaf.fails(door)
    if (!leaf.unbolt(door)) return false
    const openMs = (seconds ?? settings(door.doorNo).relockSeconds) * 1_000
    door.openUntil = body.ownTime() + openMs
    door.timers.swing = body.clock.after(Math.min(SWING_MS, openMs / 2), () => leaf.swing(door, by))
    door.timers.relock = body.clock.after(openMs, () => void leaf.bolt(door))
    return true
  }

  function boltAndHold(door: Door, mode: Mode, seconds?: number): boolean {
    if (!leaf.bolt(door)) return false
    hold(door, mode, seconds)
    return true
  }

  return (door: Door, option: Option, seconds: number | undefined, by: DevicePayload): boolean => {
    if (option === 'open') return open(door, seconds, by)
    if (option === 'keepClosed') return boltAndHold(door, 'keepClosed', seconds)
    if (option !== 'hold') return boltAndHold(door, 'normal')
    if (!leaf.unbolt(door)) return false
    hold(door, 'hold', seconds)
    return true
  }
}

type Hands = {
  doorOf: (doorNo: unknown) => Door | undefined
  state: () => DevicePayload[]
  move: (door: Door, option: Option, seconds: number | undefined, by: DevicePayload) => boolean
  inside: () => number
}

/** The commands for doors. */
function createMethods(body: Body, { doorOf, state, move, inside }: Hands): Record<string, Method> {
  const moved =
    (door: Door, option: Option, seconds: number | undefined, by: string): ReturnType<Method> =>
    (end) => {
      door.isMoving = true
      body.clock.after(MOTOR_MS, () => {
        door.isMoving = false
        end({ code: move(door, option, seconds, { by }) ? DONE : BROKEN, data: wordOf(door) })
      })
    }

  const control: Method = ({ doorNo, opt, seconds }, { id }) => {
    const door = doorOf(doorNo)
    if (!door) return { code: NOT_FOUND, msg: 'no such door' }
    if (!OPTIONS.includes(opt as Option) || !isSeconds(seconds)) return { code: BAD_PARAMETERS }
    if (door.isMoving) return { code: BUSY }
    if ((opt === 'close' || opt === 'keepClosed') && inside() > 0)
      return { code: PRECONDITION, msg: 'somebody is inside' }
    return moved(door, opt as Option, seconds, id)
  }

  return {
    'door.control': control,
    'door.forceClose': ({ doorNo }, { id }) => {
      const door = doorOf(doorNo)
      if (!door) return { code: NOT_FOUND, msg: 'no such door' }
      return door.isMoving ? { code: BUSY } : moved(door, 'close', undefined, id)
    },
    'door.status': () => (end) => end({ code: DONE, data: { doors: state() } }),
  }
}

/** A power cut ends timers and modes and locks the doors. */
function fall(door: Door): void {
  stop(door, 'relock', 'swing', 'held', 'mode')
  delete door.openUntil
  delete door.modeUntil
  Object.assign(door, { isMoving: false, mode: 'normal', lock: 'locked' })
  if (!door.isBlocked) door.contact = 'closed'
}

/** Simulates a shop's doors: motor lock, contact and a leaf that closes by itself. */
export function createDoors(body: Body, count: number, settings: SettingsOf, inside: () => number) {
  const doors = Array.from({ length: count }, (_, at): Door => ({
    doorNo: at + 1,
    contact: 'closed',
    lock: 'locked',
    mode: 'normal',
    isMoving: false,
    isBlocked: false,
    timers: {},
  }))
  const leaf = createLeaf(body, settings)
  const move = createMoves(body, settings, leaf)
  const doorOf = (doorNo: unknown) => doors.find((door) => door.doorNo === doorNo)
  const state = () => doors.map((door) => ({ doorNo: door.doorNo, contact: door.contact, ...wordOf(door) }))

  return {
    state,
    doorOf,
    methods: createMethods(body, { doorOf, state, move, inside }),
    /** The result of a command that was only claimed, for the fault `lying`. */
    claim: ({ opt }: DevicePayload): DevicePayload =>
      opt === 'open' || opt === 'hold'
        ? { lock: 'unlocked', mode: opt === 'hold' ? 'hold' : 'normal' }
        : { lock: 'locked', mode: opt === 'keepClosed' ? 'keepClosed' : 'normal' },
    /** Opens a door for somebody; false when it does not open. */
    openFor: (doorNo: number, by: DevicePayload, seconds?: number): boolean => {
      const door = doorOf(doorNo)
      return door !== undefined && door.mode !== 'keepClosed' && move(door, 'open', seconds, by)
    },
    /** A person opens the door by force. */
    force(doorNo: number): boolean {
      const door = doorOf(doorNo)
      if (door) leaf.swing(door, {})
      return door !== undefined
    },
    /** Puts an object into the door, or removes it. */
    block(doorNo: number, isBlocked: boolean): boolean {
      const door = doorOf(doorNo)
      if (!door) return false
      door.isBlocked = isBlocked
      if (!isBlocked && door.mode !== 'hold') leaf.bolt(door)
      return true
    },
    powerCut(): void {
      for (const door of doors) fall(door)
    },
  }
}

function isSeconds(seconds: unknown): seconds is number | undefined {
  return seconds === undefined || (typeof seconds === 'number' && seconds > 0 && seconds <= SECONDS_MAX)
}
