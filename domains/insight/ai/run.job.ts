import { VendorError } from '#domains/platform/external-apis/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createDifyAccess } from './access.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { findEnabledAiApp, aiRunQueue, type AiRunRow, type AiTaskRow } from './begin-runs.ts'
import { AI_RUN_STATE } from './dictionaries.ts'
import type { DifyAccess } from './dify.client.ts'
import { fetchRunResultFromDify, startRunAtDify, resumeRunAtDify, AiRunEndedError } from './stream-run.ts'
import type { AiRunEnding } from './run-words.ts'
import { completeAiRun, type AiRunResult } from './complete-run.ts'
import { addAiUsage, isAiBudgetSpent } from './usage.ts'

/** Maximum runs of a tenant at once, and ms after which a run that had to wait tries again. */
const AT_ONCE = 2
const LOOK_AGAIN_MS = 3_000
/** Delays in ms before retrying a busy platform. */
const BACK_OFF_MS = [5_000, 15_000, 45_000]
/** If it is unknown whether a run started, how often and at what interval in ms Dify is queried, as it logs late. */
const QUERIES_MAX = 4
const ASK_AGAIN_MS = 20_000
/** Attempts of the job before an internal error fails the run. */
const BROKEN_MAX = 3

export type AiRunContext = {
  services: Services
  tenantId: string
  run: AiRunRow
  task: AiTaskRow
  access: DifyAccess
  signal: AbortSignal
  /** Dify has reported the start, or a process that died may have started it. */
  isBegun: boolean
}

export const executeAiRunJob = defineModuleJob({
  queue: aiRunQueue,
  concurrency: 8,
  fairByTenant: true,
  timeoutSeconds: 20 * 60,
  run: async ({ id }, { services, tenantId, signal, attempt }) => {
    try {
      await runOnce(services, tenantId, id, signal)
    } catch (error) {
      if (signal.aborted || attempt < BROKEN_MAX) throw error
      services.log.error({ err: error, run: id }, 'an AI run broke')
      await services.unit({ tenantId }, async (db) => {
        const run = await db.get(aiTaskLog, id, 'forUpdate')
        if (run)
          await completeAiRun.within(db, services, run, { status: run.runId ? 'unknown' : 'failed', ending: 'broke' })
      })
    }
  },
})

async function runOnce(services: Services, tenantId: string, id: string, signal: AbortSignal): Promise<void> {
  const taken = await services.unit({ tenantId }, (db) => claimRun(db, services, id, services.now()))
  if (!taken) return
  const work: AiRunContext = { services, tenantId, signal, isBegun: taken.wasAsked, ...taken }
  try {
    await completeAiRun(work, await (taken.wasAsked ? continueRun(work) : startRunAtDify(work)))
  } catch (error) {
    if (signal.aborted) throw error
    await handleFailure(work, error)
  }
}

type ClaimedRun = Pick<AiRunContext, 'run' | 'task' | 'access'> & { wasAsked: boolean }

/**
 * Claims a queued run, or one whose process died. Undefined if the tenant has too many runs (then it is queued again),
 * or there is nothing to do.
 */
async function claimRun(db: Db, services: Services, id: string, now: Date): Promise<ClaimedRun | undefined> {
  await db.advisoryLock('ai runs')
  const run = await db.get(aiTaskLog, id, 'forUpdate')
  if (!run || !['queued', 'running', 'stopping'].includes(run.status ?? '')) return undefined
  const task = await db.get(aiTask, run.taskId!)
  const end = (status: AiRunResult['status'], ending: AiRunEnding) =>
    completeAiRun.within(db, services, run, { status, ending })
  if (!task) return void (await end('failed', 'gone'))
  const app = await findEnabledAiApp(db, task)
  if (!app) return void (await end('failed', 'noApp'))
  const wasRunning = run.status !== AI_RUN_STATE.queued
  if (!wasRunning) {
    const others = await db.one<{ n: number }>(sql`select count(*)::int as n from ai_task_log
      where tenant_id = ${db.tenantId} and status in ('running', 'stopping')`)
    if (others!.n >= AT_ONCE)
      return void (await db.enqueue(aiRunQueue, { id }, { key: id, runAt: new Date(now.getTime() + LOOK_AGAIN_MS) }))
    if (isAiBudgetSpent(await addAiUsage(db, now, {}))) {
      await addAiUsage(db, now, { ended: 1 })
      return void (await end('failed', 'budget'))
    }
  }
  const startTime = formatShanghaiTime(now)
  const taken = wasRunning
    ? run
    : await db.update(aiTaskLog, id, { status: AI_RUN_STATE.running, startTime, price: app.pricePerMillion ?? 0 })
  if (!wasRunning) await addAiUsage(db, now, { runs: run.tries ? 0 : 1 })
  publishRowsChanged({ db }, aiTaskLog, [taken])
  const access = createDifyAccess(services, app, run)
  // Until the first step is counted nothing was sent to Dify, so such a run starts from the beginning.
  return { run: taken, task, access, wasAsked: wasRunning && run.steps !== null }
}

/** Continues a run that was started before: returns its end, or follows its further events. */
async function continueRun(work: AiRunContext): Promise<AiRunResult> {
  const known = await fetchRunResultFromDify(work)
  if (known === 'running') return resumeRunAtDify(work)
  if (known) return known
  throw new AiRunEndedError('lost')
}

/** Decides what a failure means for a run: a later retry, a later query, or its end. */
async function handleFailure(work: AiRunContext, error: unknown): Promise<void> {
  if (error instanceof AiRunEndedError && error.ending !== 'lost')
    return completeAiRun(work, { status: error.status, ending: error.ending })
  if (error instanceof AiRunEndedError) return askLater(work, error)
  if (!(error instanceof VendorError)) throw error
  const isNo = error.isUndone && !error.isRetryable
  if (!error.isUndone || (work.isBegun && !isNo)) return askLater(work, error)
  if (error.isRetryable) return tryLater(work, error)
  const isKey = error.httpStatus === 401 || error.httpStatus === 403
  const status = work.isBegun ? 'unknown' : 'failed'
  await completeAiRun(work, {
    status,
    note: `${error.code}: ${error.message}`,
    ...(isKey ? { ending: 'key' as const } : {}),
  })
}

/** Puts a run that was not started back into the queue, or fails it after the last retry. */
async function tryLater({ services, tenantId, run }: AiRunContext, error: VendorError): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(aiTaskLog, run.id, 'forUpdate')
    if (!now) return
    const tries = (now.tries ?? 0) + 1
    const waitMs = BACK_OFF_MS[tries - 1]
    if (now.status === AI_RUN_STATE.stopping) return completeAiRun.within(db, services, now, { status: 'stopped' })
    if (waitMs === undefined)
      return completeAiRun.within(db, services, now, {
        status: 'failed',
        ending: error.httpStatus === 429 ? 'busy' : 'away',
        note: error.code,
      })
    const row = await db.update(aiTaskLog, run.id, { status: AI_RUN_STATE.queued, tries, step: null, steps: null })
    publishRowsChanged({ db }, aiTaskLog, [row])
    const runAt = new Date(services.now().getTime() + waitMs)
    await db.enqueue(aiRunQueue, { id: run.id }, { key: run.id, runAt })
  })
}

/** Queries a run later that may have started; after the last attempt its state is `unknown`. */
async function askLater({ services, tenantId, run }: AiRunContext, error: Error): Promise<void> {
  services.log.warn({ err: error, run: run.id }, 'an AI run was lost sight of')
  const isUnreadable = error instanceof VendorError && (error.code === 'too_long' || error.code === 'malformed')
  const ending = isUnreadable ? (error.code === 'too_long' ? 'tooLong' : 'malformed') : 'lost'
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(aiTaskLog, run.id, 'forUpdate')
    if (!now) return
    const tries = (now.tries ?? 0) + 1
    if (tries >= QUERIES_MAX || isUnreadable)
      return completeAiRun.within(db, services, now, { status: 'unknown', ending })
    await db.update(aiTaskLog, run.id, { tries })
    const runAt = new Date(services.now().getTime() + ASK_AGAIN_MS)
    await db.enqueue(aiRunQueue, { id: run.id }, { key: run.id, runAt })
  })
}
