import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { PatchOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { aiTaskLog } from './ai-task.resource.ts'
import { RUN } from './dictionaries.ts'
import {
  difyPatience,
  findRun,
  resumeStream,
  runDetail,
  runStreaming,
  stopRun,
  uploadPicture,
  type DifyRun,
} from './dify.client.ts'
import type { DifyEvent } from './dify-events.ts'
import { plainText } from './findings.ts'
import { pictureFor } from './picture.ts'
import type { Ending } from './run-words.ts'
import type { Work } from './run.job.ts'
import type { RunResult } from './complete-run.ts'
import { factsOf, type TargetType } from './target-facts.ts'
import { costOf, countUsage, isSpent } from './usage.ts'
import { readOutside } from '#kit/server/outside-json.ts'

const SAID_MAX = 2000
const STEP_MAX = 100
/** Words of a model are shown so often. */
const SHOW_MS = 700
const FACTS_MAX = 8_000

/** A run that ends for a reason of ours. */
export class RunEnded extends Error {
  override name = 'RunEnded'
  readonly ending: Ending
  readonly status: RunResult['status']
  constructor(ending: Ending, status: RunResult['status'] = 'failed') {
    super(ending)
    this.ending = ending
    this.status = status
  }
}

/** Gathers what the workflow is told, hands over the picture, and follows the run it begins. */
export async function beginAtDify(work: Work): Promise<RunResult> {
  const { services, tenantId, run, task, access } = work
  const type = run.targetType as TargetType
  const known = await services.unit({ tenantId }, async (db) => ({
    ...(await factsOf(db, type, run.targetId!, services.now())),
    shop: await db.get(basicShopInfo, run.shopId!),
    event: run.eventId
      ? await db.one<{ type: string; content: string; picture: string | null }>(
          sql`select type, content, picture from shop_event where tenant_id = ${tenantId} and id = ${run.eventId}`,
        )
      : undefined,
  }))
  const picture = await pictureFor(services, tenantId, {
    ...(type === 'camera' ? { cameraId: run.targetId! } : {}),
    known: known.event?.picture ?? known.picture,
  })
  if (type === 'camera' && !picture) throw new RunEnded('noPicture')
  const inputs = {
    ...(task.inputs as object | null),
    request_id: run.id,
    task_kind: task.name,
    shop_name: known.shop?.shopName ?? '',
    target_name: run.targetName ?? '',
    target_type: type,
    taken_at: run.startTime,
    prompt: task.prompt ?? '',
    facts: JSON.stringify(known.facts).slice(0, FACTS_MAX),
    ...(known.event ? { event: JSON.stringify({ type: known.event.type, content: known.event.content }) } : {}),
  }
  await updateRun(work, { inputs, picture: picture?.link ?? null })
  const image = picture && (await uploadPicture(access, picture.bytes, picture.extension))
  if ((await updateRun(work, { steps: 0 })) === RUN.stopping) return { status: 'stopped' }
  return consumeStream(work, (signal) => runStreaming(access, image ? { ...inputs, image } : inputs, signal))
}

/** Goes on with a run another process, or a broken connection, left. */
export async function resumeRun(work: Work): Promise<RunResult> {
  const { access, run } = work
  if (run.status === RUN.stopping && run.difyTaskId) await stopRun(access, run.difyTaskId)
  return consumeStream(work, (signal) => resumeStream(access, run.runId!, signal), true)
}

/** Writes down where a run stands and shows it; answers the state somebody may have given it meanwhile. */
async function updateRun({ services, tenantId, run }: Work, patch: PatchOf<typeof aiTaskLog>): Promise<string> {
  return services.unit({ tenantId }, async (db) => {
    const row = Object.keys(patch).length ? await db.update(aiTaskLog, run.id, patch) : await db.get(aiTaskLog, run.id)
    if (row && Object.keys(patch).length) publishChanged({ db }, aiTaskLog, [row])
    Object.assign(run, row)
    return row?.status ?? RUN.stopped
  })
}

/** Counts what a step used, at once: a budget that is used up ends the run while it goes on. */
async function count(work: Work, tokens: number): Promise<boolean> {
  const { services, tenantId, run } = work
  if (tokens <= 0) return false
  return services.unit({ tenantId }, async (db) => {
    const now = (await db.get(aiTaskLog, run.id, 'forUpdate'))!
    const all = (now.tokens ?? 0) + tokens
    const row = await db.update(aiTaskLog, run.id, { tokens: all, cost: costOf(all, now.price) })
    Object.assign(run, row)
    return isSpent(await countUsage(db, services.now(), { tokens, price: now.price ?? 0 }))
  })
}

type Following = {
  steps: number
  said: string
  shownAt: number
  stopping: Ending | 'asked' | null
  /** What is told again was counted before; the end says what it was in all. */
  isAgain: boolean
}

type Open = (signal: AbortSignal) => AsyncGenerator<DifyEvent>

async function consumeStream(work: Work, open: Open, isAgain = false): Promise<RunResult> {
  const late = AbortSignal.timeout(difyPatience.totalMs)
  const state: Following = { steps: 0, said: '', shownAt: 0, stopping: null, isAgain }
  try {
    for await (const event of open(AbortSignal.any([work.signal, late]))) {
      const end = await handleStreamEvent(work, state, event)
      if (end) return end
    }
  } catch (error) {
    if (work.signal.aborted) throw error
    if (late.aborted) return await finishLate(work)
    if (error instanceof RunEnded) throw error
    if (!(error instanceof VendorError) || error.isUndone) throw error
    return afterDisconnect(work, state, error)
  }
  return afterDisconnect(work, state, new RunEnded('lost'))
}

/** The stream broke off: the run has an end by now, or is listened to again; once, then the job asks later. */
async function afterDisconnect(work: Work, state: Following, error: Error): Promise<RunResult> {
  const known = await queryRun(work)
  if (known && known !== 'running') return withStopReason(state, known)
  throw error
}

async function finishLate(work: Work): Promise<RunResult> {
  if (work.run.difyTaskId) await stopRun(work.access, work.run.difyTaskId).catch(() => {})
  return { status: 'failed', ending: 'late' }
}

/** What one message of the stream means; an end where it is the last. */
async function handleStreamEvent(work: Work, state: Following, event: DifyEvent): Promise<RunResult | undefined> {
  const { data = {} } = event
  switch (event.event) {
    case 'workflow_started':
      return began(work, state, event)
    case 'node_started':
      await updateRun(work, { step: plainText(data.title, STEP_MAX) })
      return undefined
    case 'node_finished':
      return nodeDone(work, state, data)
    case 'text_chunk':
      return show(work, state, data.text)
    case 'workflow_paused':
    case 'human_input_required':
      return stop(work, state, 'paused')
    case 'workflow_finished':
      return withStopReason(state, endOf(data as DifyRun))
    case 'error':
      return {
        status: 'failed',
        note: `${plainText(event.code, 100) ?? ''} ${plainText(event.message, 300) ?? ''}`.trim(),
      }
    default:
      return undefined
  }
}

async function began(work: Work, state: Following, event: DifyEvent): Promise<undefined> {
  const runId = plainText(event.workflow_run_id, 64)
  const difyTaskId = plainText(event.task_id, 64)
  if (!runId || !difyTaskId) throw new RunEnded('malformed', 'unknown')
  work.isBegun = true
  const status = await updateRun(work, { runId, difyTaskId })
  if (status === RUN.stopping) await stop(work, state, 'asked')
  return undefined
}

async function nodeDone(work: Work, state: Following, data: Record<string, any>): Promise<undefined> {
  const used = state.isAgain ? 0 : tokensOf(data.execution_metadata?.total_tokens)
  const isSpentNow = await count(work, used)
  await updateRun(work, { steps: ++state.steps, ...(state.said ? { said: plainText(state.said, SAID_MAX) } : {}) })
  if (isSpentNow) await stop(work, state, 'budget')
  return undefined
}

/** No run uses so many: a figure beyond it is none. */
const TOKENS_MAX = 1e9
const tokensOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= TOKENS_MAX ? Math.round(value) : 0

async function show(work: Work, state: Following, text: unknown): Promise<undefined> {
  if (typeof text === 'string' && state.said.length < SAID_MAX) state.said += text.slice(0, SAID_MAX)
  if (Date.now() - state.shownAt < SHOW_MS) return undefined
  state.shownAt = Date.now()
  await updateRun(work, { said: plainText(state.said, SAID_MAX) })
  return undefined
}

/** Asks Dify to end the run; it says in the stream that it did. */
async function stop(work: Work, state: Following, why: Following['stopping']): Promise<undefined> {
  if (state.stopping) return undefined
  state.stopping = why
  await updateRun(work, { status: RUN.stopping })
  await stopRun(work.access, work.run.difyTaskId!)
  return undefined
}

/** Why we ended it says more than that it was ended. */
function withStopReason({ stopping }: Following, end: RunResult): RunResult {
  if (end.status !== 'stopped' || !stopping) return end
  const { note: _note, ...rest } = end
  return stopping === 'asked' ? rest : { ...rest, ending: stopping }
}

const ENDS = {
  succeeded: 'succeeded',
  'partial-succeeded': 'partial',
  failed: 'failed',
  stopped: 'stopped',
} as const

/** What a run ended as; of what Dify may say one day nothing is guessed. */
function endOf(run: DifyRun): RunResult {
  const status = Object.hasOwn(ENDS, run.status) ? ENDS[run.status as keyof typeof ENDS] : 'unknown'
  return {
    status,
    outputs: run.outputs,
    tokens: tokensOf(run.total_tokens),
    ...(run.error ? { note: plainText(run.error, 500) ?? '' } : {}),
  }
}

/** How a run stands at Dify: its end, `running`, or nothing where Dify knows of none. */
export async function queryRun(work: Work): Promise<RunResult | 'running' | undefined> {
  const { run, access } = work
  if (!run.runId) {
    const runId = await findRun(access, run.id)
    if (!runId) return undefined
    await updateRun(work, { runId })
  }
  const found = await runDetail(access, run.runId!).catch((error: unknown) => {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  })
  if (!found) return undefined
  return found.status === 'running' || found.status === 'paused' ? 'running' : endOf(outputsRead(found))
}

/** Of a run that is asked about, Dify gives the outputs as text. */
function outputsRead(found: DifyRun): DifyRun {
  if (typeof found.outputs !== 'string') return found
  try {
    return { ...found, outputs: readOutside(found.outputs) as unknown }
  } catch {
    return { ...found, outputs: { text: found.outputs } }
  }
}
