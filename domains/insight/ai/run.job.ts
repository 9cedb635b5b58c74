import { VendorError } from '#domains/platform/external-apis/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { shanghaiText } from '#kit/server/time.ts'
import type { Services } from '#kit/server/services.ts'
import { accessOf } from './access.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { appOf, runQueue, type Run, type Task } from './begin-runs.ts'
import { RUN } from './dictionaries.ts'
import type { DifyAccess } from './dify.client.ts'
import { queryRun, beginAtDify, resumeRun, RunEnded } from './stream-run.ts'
import type { Ending } from './run-words.ts'
import { completeRun, type RunResult } from './complete-run.ts'
import { countUsage, isSpent } from './usage.ts'

/** Runs of one tenant at once, and so many seconds until one that found no room looks again. */
const AT_ONCE = 2
const LOOK_AGAIN_MS = 3_000
/** A busy platform is asked again after so long. */
const BACK_OFF_MS = [5_000, 15_000, 45_000]
/** Where it is not known whether a run was begun, Dify is asked so often, as it writes its log late. */
const ASKED_ABOUT = 4
const ASK_AGAIN_MS = 20_000
/** What breaks here is tried again so often. */
const BROKEN_MAX = 3

export type Work = {
  services: Services
  tenantId: string
  run: Run
  task: Task
  access: DifyAccess
  signal: AbortSignal
  /** Dify said that the run began, or a process asked for it that is no more. */
  isBegun: boolean
}

export const aiRunJob = defineModuleJob<{ id: string }>({
  queue: runQueue,
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
          await completeRun.within(db, services, run, { status: run.runId ? 'unknown' : 'failed', ending: 'broke' })
      })
    }
  },
})

async function runOnce(services: Services, tenantId: string, id: string, signal: AbortSignal): Promise<void> {
  const taken = await services.unit({ tenantId }, (db) => claimRun(db, services, id, services.now()))
  if (!taken) return
  const work: Work = { services, tenantId, signal, isBegun: taken.wasAsked, ...taken }
  try {
    await completeRun(work, await (taken.wasAsked ? goOn(work) : beginAtDify(work)))
  } catch (error) {
    if (signal.aborted) throw error
    await settleFailure(work, error)
  }
}

type ClaimedRun = Pick<Work, 'run' | 'task' | 'access'> & { wasAsked: boolean }

/** Takes a run that waits, or that a process left which is no more; not where there is no room, or nothing to do. */
async function claimRun(db: Db, services: Services, id: string, now: Date): Promise<ClaimedRun | undefined> {
  await db.advisoryLock('ai runs')
  const run = await db.get(aiTaskLog, id, 'forUpdate')
  if (!run || !['queued', 'running', 'stopping'].includes(run.status ?? '')) return undefined
  const task = await db.get(aiTask, run.taskId!)
  const end = (status: RunResult['status'], ending: Ending) => completeRun.within(db, services, run, { status, ending })
  if (!task) return void (await end('failed', 'gone'))
  const app = await appOf(db, task)
  if (!app) return void (await end('failed', 'noApp'))
  const wasRunning = run.status !== RUN.queued
  if (!wasRunning) {
    const others = await db.one<{ n: number }>(sql`select count(*)::int as n from ai_task_log
      where tenant_id = ${db.tenantId} and status in ('running', 'stopping')`)
    if (others!.n >= AT_ONCE)
      return void (await db.enqueue(runQueue, { id }, { key: id, runAt: new Date(now.getTime() + LOOK_AGAIN_MS) }))
    if (isSpent(await countUsage(db, now, {}))) {
      await countUsage(db, now, { ended: 1 })
      return void (await end('failed', 'budget'))
    }
  }
  const startTime = shanghaiText(now)
  const taken = wasRunning
    ? run
    : await db.update(aiTaskLog, id, { status: RUN.running, startTime, price: app.pricePerMillion ?? 0 })
  if (!wasRunning) await countUsage(db, now, { runs: run.tries ? 0 : 1 })
  publishChanged({ db }, aiTaskLog, [taken])
  const access = accessOf(services, app, run)
  // Before the first step is counted, nothing was asked of Dify yet: a run that was left there begins anew.
  return { run: taken, task, access, wasAsked: wasRunning && run.steps !== null }
}

/** A run that was begun before: its end where it has one, else what it still says. */
async function goOn(work: Work): Promise<RunResult> {
  const known = await queryRun(work)
  if (known === 'running') return resumeRun(work)
  if (known) return known
  throw new RunEnded('lost')
}

/** What a failure means for the run: later again, asked about again, or over and said so. */
async function settleFailure(work: Work, error: unknown): Promise<void> {
  if (error instanceof RunEnded && error.ending !== 'lost')
    return completeRun(work, { status: error.status, ending: error.ending })
  if (error instanceof RunEnded) return askLater(work, error)
  if (!(error instanceof VendorError)) throw error
  const isNo = error.isUndone && !error.isRetryable
  if (!error.isUndone || (work.isBegun && !isNo)) return askLater(work, error)
  if (error.isRetryable) return tryLater(work, error)
  const isKey = error.httpStatus === 401 || error.httpStatus === 403
  const status = work.isBegun ? 'unknown' : 'failed'
  await completeRun(work, {
    status,
    note: `${error.code}: ${error.message}`,
    ...(isKey ? { ending: 'key' as const } : {}),
  })
}

/** Nothing was begun there: it waits its turn again, unless it was asked often enough. */
async function tryLater({ services, tenantId, run }: Work, error: VendorError): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(aiTaskLog, run.id, 'forUpdate')
    if (!now) return
    const tries = (now.tries ?? 0) + 1
    const waitMs = BACK_OFF_MS[tries - 1]
    if (now.status === RUN.stopping) return completeRun.within(db, services, now, { status: 'stopped' })
    if (waitMs === undefined)
      return completeRun.within(db, services, now, {
        status: 'failed',
        ending: error.httpStatus === 429 ? 'busy' : 'away',
        note: error.code,
      })
    const row = await db.update(aiTaskLog, run.id, { status: RUN.queued, tries, step: null, steps: null })
    publishChanged({ db }, aiTaskLog, [row])
    const runAt = new Date(services.now().getTime() + waitMs)
    await db.enqueue(runQueue, { id: run.id }, { key: run.id, runAt })
  })
}

/** It may have run, or run still: it is asked about again, and in the end nobody claims to know. */
async function askLater({ services, tenantId, run }: Work, error: Error): Promise<void> {
  services.log.warn({ err: error, run: run.id }, 'an AI run was lost sight of')
  const isUnreadable = error instanceof VendorError && (error.code === 'too_long' || error.code === 'malformed')
  const ending = isUnreadable ? (error.code === 'too_long' ? 'tooLong' : 'malformed') : 'lost'
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(aiTaskLog, run.id, 'forUpdate')
    if (!now) return
    const tries = (now.tries ?? 0) + 1
    if (tries >= ASKED_ABOUT || isUnreadable)
      return completeRun.within(db, services, now, { status: 'unknown', ending })
    await db.update(aiTaskLog, run.id, { tries })
    const runAt = new Date(services.now().getTime() + ASK_AGAIN_MS)
    await db.enqueue(runQueue, { id: run.id }, { key: run.id, runAt })
  })
}
