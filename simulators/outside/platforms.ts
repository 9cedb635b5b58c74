import { setTimeout as pause } from 'node:timers/promises'
import type { DifySimulator } from '../dify/dify.simulator.ts'
import type { EleSimulator } from '../ele/ele.simulator.ts'
import type { MeituanSimulator } from '../meituan/meituan.simulator.ts'
import type { WechatSimulator } from '../wechat/wechat.simulator.ts'
import type { WvpSimulator } from '../wvp/wvp.simulator.ts'
import type { startWechatPay } from '../wechatpay/wechatpay.simulator.ts'
import { isPlatformFault, PLATFORM_RULES, type PlatformFaults, type PlatformKind } from './faults.ts'

/** A simulated platform with faults that can be set from outside. */
export type Platform = {
  kind: PlatformKind
  faults: () => PlatformFaults
  /**
   * Sets the faults that this platform can have and clears those that are null. Returns whether any of them applied.
   */
  order: (faults: Readonly<Record<string, unknown>>) => boolean
}

const LATE_MS = 60_000
const SHUFFLE_MS = 20_000

/** Keeps a platform's faults and applies them whenever they change. */
function platform(kind: PlatformKind, enforce: (faults: PlatformFaults) => void): Platform {
  let now: Record<string, unknown> = {}
  return {
    kind,
    faults: () => ({ ...now }),
    order(faults) {
      const own = Object.entries(faults).filter(
        ([name]) => isPlatformFault(name) && PLATFORM_RULES[name].of?.includes(kind),
      )
      now = Object.fromEntries(
        Object.entries({ ...now, ...Object.fromEntries(own) }).filter(([, value]) => value !== null),
      )
      if (own.length) enforce(now)
      return own.length > 0
    },
  }
}

/** Returns a switch that repeats an action while it is on. */
function repeated(act: () => unknown) {
  let timer: NodeJS.Timeout | undefined
  return (isOn: boolean): void => {
    clearInterval(timer)
    timer = isOn ? setInterval(act, SHUFFLE_MS).unref() : undefined
  }
}

export function wechatpayPlatform(simulator: Awaited<ReturnType<typeof startWechatPay>>): Platform {
  const { callbacks, world, faults: fails } = simulator
  const release = repeated(() => callbacks.release())
  return platform('wechatpay', (faults) => {
    const refunds = /\/refund\/domestic\/refunds$/
    fails.length = 0
    if (faults.away) fails.push({ kind: 'down' })
    if (faults.deaf) fails.push({ kind: 'deaf after doing' })
    if (faults.limited) fails.push({ kind: { status: 429, code: 'FREQUENCY_LIMITED' } })
    if (faults.refundRefused) fails.push({ kind: { status: 403, code: 'NOT_ENOUGH' }, path: refunds })
    if (faults.noStatement) fails.push({ kind: { status: 404, code: 'NO_STATEMENT_EXIST' }, path: /^\/v3\/bill\// })
    simulator.pace.lateMs = faults.answersLate ?? 0
    world.isStrict = faults.auditRefused === true
    world.refundEnding = faults.refundAbnormal ? 'ABNORMAL' : 'SUCCESS'
    const mood = { twice: 'twice', never: 'never', shuffled: 'held', late: 'well' } as const
    callbacks.mood = faults.callbacks ? mood[faults.callbacks] : 'well'
    callbacks.lateMs = faults.callbacks === 'late' ? LATE_MS : 0
    release(faults.callbacks === 'shuffled')
    if (faults.callbacks !== 'shuffled') void callbacks.release()
  })
}

export function meituanPlatform(simulator: MeituanSimulator): Platform {
  const flush = repeated(() => simulator.flush())
  return platform('meituan', (faults) => {
    simulator.mood = faults.away ? 'broken' : faults.deaf ? 'deaf after taking' : faults.limited ? 'busy' : 'well'
    const lateMs = faults.answersLate
    simulator.meanwhile = lateMs ? async () => void (await pause(lateMs)) : undefined
    simulator.beStrict(faults.auditRefused === true)
    const { push } = simulator
    push.times = faults.callbacks === 'twice' ? 2 : 1
    push.delayMs = faults.callbacks === 'late' ? LATE_MS : 0
    push.isSilent = faults.callbacks === 'never'
    push.isShuffled = faults.callbacks === 'shuffled'
    flush(push.isShuffled)
    if (!push.isShuffled) void simulator.flush()
  })
}

export function elePlatform(simulator: EleSimulator): Platform {
  const { pushes, world, perSecond } = simulator
  let released = 0
  let isShuffled = false
  /** Delivers the messages held back since the last time, in reverse order. */
  const release = async () => {
    const held = pushes.outbox.slice(released).filter(({ times }) => !times)
    released = pushes.outbox.length
    for (const push of held.toReversed()) await pushes.deliver(push)
  }
  const shuffle = repeated(release)
  return platform('ele', (faults) => {
    simulator.mood = faults.away ? 'down' : faults.deaf ? 'deaf after doing' : 'well'
    simulator.perSecond = faults.limited ? 0 : perSecond
    simulator.lateMs = faults.answersLate ?? 0
    world.isStrict = faults.auditRefused === true
    const { callbacks } = faults
    const wasShuffled = isShuffled
    isShuffled = callbacks === 'shuffled'
    pushes.mood.times = callbacks === 'twice' ? 2 : 1
    pushes.mood.lateMs = callbacks === 'late' ? LATE_MS : 0
    pushes.mood.isHeld = isShuffled || callbacks === 'never'
    // Messages dropped while callbacks were off are not delivered afterwards.
    if (!wasShuffled) released = pushes.outbox.length
    shuffle(isShuffled)
    if (!isShuffled) void release()
  })
}

export function wechatPlatform(simulator: WechatSimulator): Platform {
  return platform('wechat', (faults) => {
    const sends = /\/send$/
    simulator.faults.length = 0
    if (faults.away) simulator.faults.push({ kind: 'down' })
    if (faults.deaf) simulator.faults.push({ kind: 'deaf after doing', path: sends })
    if (faults.limited) simulator.faults.push({ kind: 45009, path: sends })
    if (faults.tokenBad) simulator.faults.push({ kind: 40001, path: sends })
    if (faults.notAllowed) simulator.faults.push({ kind: 43101, path: sends })
    simulator.lateMs = faults.answersLate ?? 0
  })
}

export function difyPlatform(simulator: DifySimulator): Platform {
  return platform('dify', (faults) => {
    simulator.mood = faults.away ? 'away' : faults.deaf ? 'deaf' : faults.limited ? 'limited' : (faults.run ?? 'well')
    simulator.lateMs = faults.answersLate ?? 0
  })
}

const EVERY = Number.MAX_SAFE_INTEGER

/** Applies the faults of a video platform to all its cameras; clearing them restores each camera's own clock. */
export function videoPlatform({ world }: WvpSimulator): Platform {
  const clocks = new Map(world.cameras.map((one) => [one, one.clockMs]))
  return platform('wvp', (faults) => {
    world.mood.isAway = faults.away === true
    world.mood.lateMs = faults.answersLate ?? 0
    world.mood.forgets = faults.tokenBad ? EVERY : 0
    for (const camera of world.cameras) {
      camera.clockMs = faults.wrongClock ?? clocks.get(camera) ?? 0
      camera.faults = {
        ...(faults.noPicture && { isMute: true }),
        ...(faults.diesAfter && { diesAfterMs: faults.diesAfter }),
        ...(faults.hevc && { isHevc: true }),
        ...(faults.black && { isBlack: true }),
        ...(faults.frozen && { isFrozen: true }),
      }
    }
  })
}
