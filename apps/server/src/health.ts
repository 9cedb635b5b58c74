import type { MqttConnection } from '#kit/server/broker/index.ts'
import type { JobWorker } from '#kit/server/jobs/index.ts'
import type { HealthCheck } from '#kit/server/database/health-check.ts'
import type { DiskMonitor } from './disk.ts'
import {
  emptyObjectSchema,
  objectSchema,
  integerSchema,
  enumSchema,
  booleanSchema,
  type ResponseSchema,
} from '#kit/resource/response-schema.ts'
import type { Route } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { isClockWrong, readClockError } from './clock-error.ts'

const healthKey = defineGlobalSharedKey('health', 'the question is whether anything can be read')

/** A component that takes longer to answer counts as unwell. */
export const HEALTH_CHECK_TIMEOUT_MS = 3000
/** Longest wait for a component in `/api/health`, where readiness does not depend on all of them. */
const BRIEF_MS = 300
/** A result is reused for a second, so that many callers, also strangers, cause one check. */
const FRESH_MS = 1000

const part = objectSchema({ ok: booleanSchema, millis: integerSchema }, ['millis'])
const answerOf = <T>(data: ResponseSchema<T>) =>
  objectSchema({ code: integerSchema, success: booleanSchema, data, msg: enumSchema('ok', 'unwell', 'stopping') })
const answers = {
  live: answerOf(emptyObjectSchema),
  ready: answerOf(objectSchema({ database: part, disk: part })),
  parts: answerOf(
    objectSchema({
      database: part,
      shared: objectSchema({ ok: booleanSchema, millis: integerSchema, isStandingIn: booleanSchema }, [
        'millis',
        'isStandingIn',
      ]),
      files: part,
      jobs: part,
      broker: part,
      disk: objectSchema({ ok: booleanSchema, isLow: booleanSchema }),
      clock: objectSchema({ ok: booleanSchema, millis: integerSchema, errorMs: integerSchema }, ['millis', 'errorMs']),
      live: objectSchema({ ok: booleanSchema, connections: integerSchema }),
    }),
  ),
}

type State = { ok: boolean; millis?: number } & Record<string, unknown>
type ComponentCheck = () => Promise<Record<string, unknown> | void>
type Parts = {
  jobs: JobWorker
  isLead: boolean
  messages?: MqttConnection
  disk?: DiskMonitor
  pulse?: HealthCheck
  isStopping: () => boolean
}

async function stateOf(services: Services, part: string, check: ComponentCheck): Promise<State> {
  const started = performance.now()
  const millis = () => Math.round(performance.now() - started)
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), HEALTH_CHECK_TIMEOUT_MS)
    })
    const more = await Promise.race([check(), late])
    return { ok: true, millis: millis(), ...more }
  } catch (err) {
    // The reason goes to the log only: anybody can call this route.
    services.log.error({ err, part }, 'a part of the system is unwell')
    return { ok: false, millis: millis() }
  } finally {
    clearTimeout(timer)
  }
}

/** Wraps the check of a component so that all callers within a second share one check. */
function watched(services: Services, part: string, check: ComponentCheck) {
  let last: State | undefined
  const freshMs = services.config.isTest ? 0 : FRESH_MS
  let lookedAt = -freshMs
  let looking: Promise<State> | undefined
  const look = (): Promise<State> => {
    if (last && performance.now() - lookedAt < freshMs) return Promise.resolve(last)
    looking ??= stateOf(services, part, check).then((state) => {
      lookedAt = performance.now()
      looking = undefined
      return (last = state)
    })
    return looking
  }
  /** Returns the new result, or the last known one when the check takes longer than 300 ms. */
  const briefly = async (): Promise<State> => {
    let timer: NodeJS.Timeout | undefined
    const soon = new Promise<State>((resolve) => {
      timer = setTimeout(() => resolve(last ?? { ok: false, millis: BRIEF_MS }), BRIEF_MS)
    })
    return Promise.race([look(), soon]).finally(() => clearTimeout(timer))
  }
  return { look, briefly }
}

const open = {
  method: 'GET',
  can: { open: 'watched by machines; names no data' },
  tx: false,
  rawResponse: true,
  head: true,
} as const

/** Checks the system's components: `statesOf` asks each of them, `readiness` uses what this process already knows. */
function createHealth(services: Services, parts: () => Parts) {
  const looks = {
    database: watched(services, 'database', async () => void (await services.pool.query('select 1'))),
    clock: watched(services, 'clock', async () => {
      const errorMs = await readClockError(services)
      return { ok: !isClockWrong(errorMs), errorMs }
    }),
    shared: watched(services, 'shared', async () => {
      await services.shared.read(healthKey())
      return services.shared.isStandingIn?.() ? { isStandingIn: true } : {}
    }),
    files: watched(services, 'files', async () => void (await services.files.ping())),
  }
  return {
    statesOf: async (how: 'look' | 'briefly') => {
      const { jobs, isLead, messages, disk } = parts()
      const [database, clock, shared, files] = await Promise.all([
        looks.database[how](),
        looks.clock[how](),
        looks.shared[how](),
        looks.files[how](),
      ])
      return {
        database,
        shared,
        files,

        // Jobs run in one process of the machine.
        jobs: { ok: services.config.isTest || !isLead || jobs.state().started },
        broker: { ok: services.config.isTest || messages?.state() === 'connected' },
        disk: disk?.state() ?? { ok: true, isLow: false },
        clock,
        live: { ok: true, connections: services.live.size() },
      }
    },
    /**
     * Uses the background health check, which a full connection pool does not slow down, and the last disk measurement.
     */
    readiness: async () => {
      const { pulse, disk, isStopping } = parts()
      const database = pulse ? { ok: pulse.isHealthy() } : await looks.database.look()
      const states = { database: { ok: database.ok }, disk: { ok: !disk?.isFull() } }
      const success = isAllWell(states) && !isStopping()
      return { states, success, isStopping: isStopping() }
    },
  }
}

const isAllWell = (states: Record<string, { ok: boolean }>) => Object.values(states).every(({ ok }) => ok)

const healthResponse = (success: boolean, data: object, msg: string) => {
  const code = success ? 200 : 503
  return { status: code, body: { code, success, data, msg } }
}

const stateWordOf = (isStopping: boolean, isWell: boolean) => (isStopping ? 'stopping' : isWell ? 'ok' : 'unwell')

/**
 * The routes for monitors: whether the process lives, whether it can be sent calls, and the state of each component.
 * `ready`, which proxies ask, depends only on what a sale needs, so that one broken component does not take the server
 * out of service.
 */
export function createHealthRoutes(services: Services, parts: () => Parts): Route[] {
  const { statesOf, readiness } = createHealth(services, parts)

  return [
    {
      ...open,
      path: '/api/health/live',
      answers: answers.live,
      title: { zh: '进程存活', en: 'Alive' },
      handle: async (call) => call.reply(healthResponse(true, {}, 'ok')),
    },
    {
      ...open,
      path: '/api/health/ready',
      answers: answers.ready,
      title: { zh: '可接收请求', en: 'Ready' },
      handle: async (call) => {
        const { states, success, isStopping } = await readiness()
        return call.reply(healthResponse(success, states, stateWordOf(isStopping, success)))
      },
    },
    {
      ...open,
      path: '/api/health/parts',
      answers: answers.parts,
      title: { zh: '各部分状态', en: 'Component status' },
      handle: async (call) => {
        const states = await statesOf('look')
        return call.reply(healthResponse(isAllWell(states), states, stateWordOf(false, isAllWell(states))))
      },
    },
    {
      // For older proxies and monitors: the status code says whether the server is ready, the body how each component
      // is.
      ...open,
      path: '/api/health',
      answers: answers.parts,
      title: { zh: '健康检查', en: 'Health' },
      handle: async (call) => {
        const [{ success, isStopping }, states] = await Promise.all([readiness(), statesOf('briefly')])
        return call.reply(healthResponse(success, states, stateWordOf(isStopping, success && isAllWell(states))))
      },
    },
  ]
}
