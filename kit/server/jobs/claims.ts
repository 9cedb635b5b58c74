import type { MinimalLogger } from '../base/minimal-logger.ts'
import type { JobDefinition } from './job.ts'
import type { ClaimedJob, JobStore } from './job-store.ts'
import type { JobRunRegistry } from './runs.ts'

const concurrencyDefault = 2
/** Most tenants remembered for the rotation; more never wait with long work at once. */
const tenantsRemembered = 1_000

type Options = { jobs: readonly JobDefinition[]; ledger: JobStore; runs: JobRunRegistry; log: MinimalLogger }

/**
 * Returns a function that claims jobs; for queues with `fairByTenant` first those of tenants that were served longest
 * ago.
 */
function createTenantRotation(ledger: JobStore) {
  const served = new Map<string, string[]>()
  return async ({ queue, fairByTenant }: JobDefinition, limit: number): Promise<ClaimedJob[]> => {
    if (!fairByTenant) return ledger.claim(queue, limit)
    const before = served.get(queue) ?? []
    const claimed = await ledger.claim(queue, limit, before)
    const now = new Set(claimed.map(({ tenantId }) => tenantId))
    served.set(queue, [...before.filter((tenantId) => !now.has(tenantId)), ...now].slice(-tenantsRemembered))
    return claimed
  }
}

/** Claims jobs and starts them, up to each queue's concurrency. */
export function createJobClaimer({ jobs, ledger, runs, log }: Options) {
  const definitions = new Map(jobs.map((job) => [job.queue, job]))
  if (definitions.size < jobs.length) throw new Error('Two job definitions have the same queue')
  const queues = [...definitions.keys()]
  const filling = new Map<string, Promise<void>>()
  const looks = new Set<Promise<void>>()
  const wanted = new Set<string>()
  const claim = createTenantRotation(ledger)
  let taking = true

  async function take(definition: JobDefinition) {
    const { queue, concurrency = concurrencyDefault } = definition
    do {
      wanted.delete(queue)
      const busy = runs.busy(queue)
      if (!taking || busy >= concurrency) return
      for (const job of await claim(definition, concurrency - busy)) runs.begin(definition, job)
    } while (wanted.has(queue))
  }

  /** Claims for a queue, one claim at a time; a request that comes meanwhile is served right afterwards. */
  function fill(queue: string): Promise<void> {
    const definition = definitions.get(queue)
    if (!definition) return Promise.resolve()
    wanted.add(queue)
    const current = filling.get(queue)
    if (current) return current
    const next = take(definition)
      .catch((err: unknown) => log.warn({ err, queue }, 'Jobs could not be fetched'))
      .finally(() => filling.delete(queue))
    filling.set(queue, next)
    return next
  }

  async function fillAwaited() {
    if (!taking) return
    const awaited = await ledger.awaited(queues).catch((err: unknown) => {
      log.warn({ err }, 'Nobody knows which jobs wait')
      return []
    })
    await Promise.all(awaited.map(fill))
  }

  return {
    fill,
    /** Fills all queues that have due jobs, found with one query. */
    fillAll(): Promise<void> {
      const look = fillAwaited().finally(() => looks.delete(look))
      looks.add(look)
      return look
    },
    /** Claims no more, and waits for claims in progress. */
    async end(): Promise<void> {
      taking = false
      await Promise.all(looks)
      await Promise.all(filling.values())
    },
  }
}
