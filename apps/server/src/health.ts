import type { Messages } from '#kit/server/broker/index.ts'
import type { JobWorker } from '#kit/server/jobs/index.ts'
import type { Disk } from './disk.ts'
import type { Route } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { keptForAll } from '#kit/server/shared/index.ts'

const PATIENCE_MS = 3000
const healthKey = keptForAll('health', 'the question is whether anything can be read')

async function stateOf(
  services: Services,
  part: string,
  check: () => Promise<unknown>,
): Promise<{ ok: boolean; millis: number }> {
  const started = performance.now()
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      check(),
      new Promise(
        (_resolve, reject) => (timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS)),
      ),
    ])
    return { ok: true, millis: Math.round(performance.now() - started) }
  } catch (err) {
    // Why is for the log: strangers ask here too.
    services.log.error({ err, part }, 'a part of the system is unwell')
    return { ok: false, millis: Math.round(performance.now() - started) }
  } finally {
    clearTimeout(timer)
  }
}

/** GET /api/health: 200 with the state of each part when all is well, 503 otherwise and once it is to stop. */
export function healthRoute(
  services: Services,
  parts: () => { jobs: JobWorker; isLead: boolean; messages?: Messages; disk?: Disk; isStopping: () => boolean },
): Route {
  return {
    method: 'GET',
    path: '/api/health',
    title: { zh: '健康检查', en: 'Health' },
    can: { open: 'watched by machines; names no data' },
    tx: false,
    bare: true,
    head: true,
    handle: async (call) => {
      const { jobs, isLead, messages, disk, isStopping } = parts()
      const [database, shared, files] = await Promise.all([
        stateOf(services, 'database', () => services.pool.query('select 1')),
        stateOf(services, 'shared', () => services.shared.read(healthKey())),
        stateOf(services, 'files', () => services.files.ping()),
      ])
      const isStandingIn = services.shared.isStandingIn?.() ?? false
      const states = {
        database,
        shared: { ...shared, ...(isStandingIn ? { isStandingIn } : {}) },
        files,
        // Jobs run in one process of the machine.
        jobs: { ok: services.config.isTest || !isLead || jobs.state().started },
        broker: { ok: services.config.isTest || messages?.state() === 'connected' },
        disk: disk?.state() ?? { ok: true, isLow: false },
        live: { ok: true, connections: services.live.size() },
      }
      const isWell = Object.values(states).every((state) => state.ok)
      const success = isWell && !isStopping()
      const msg = isStopping() ? 'stopping' : isWell ? 'ok' : 'unwell'
      const code = success ? 200 : 503
      return call.reply({ status: code, body: { code, success, data: states, msg } })
    },
  }
}
