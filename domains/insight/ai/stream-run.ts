import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { PatchOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { aiTaskLog } from './ai-task.resource.ts'
import { AI_RUN_STATE } from './dictionaries.ts'
import {
  difyTimeouts,
  findDifyRunId,
  resumeDifyRunStream,
  fetchDifyRun,
  startDifyRunStream,
  stopDifyRun,
  uploadPicture,
  type DifyRun,
} from './dify.client.ts'
import type { DifyEvent } from './dify-events.ts'
import { sanitizeModelText } from './findings.ts'
import { obtainAiRunPicture } from './picture.ts'
import type { AiRunEnding } from './run-words.ts'
import type { AiRunContext } from './run.job.ts'
import type { AiRunResult } from './complete-run.ts'
import { loadAiTargetFacts, type AiTargetType } from './target-facts.ts'
import { computeAiCostYuan, addAiUsage, isAiBudgetSpent } from './usage.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const OUTPUT_MAX = 2000
const STEP_MAX = 100
/** Minimum ms between updates of the model's text. */
const SHOW_MS = 700
const FACTS_MAX = 8_000

/** Thrown when we end a run ourselves. */
export class AiRunEndedError extends Error {
  override name = 'RunEnded'
  readonly ending: AiRunEnding
  readonly status: AiRunResult['status']
  constructor(ending: AiRunEnding, status: AiRunResult['status'] = 'failed') {
    super(ending)
    this.ending = ending
    this.status = status
  }
}

/** Collects the inputs of a workflow, uploads the picture, starts the run and follows it. */
export async function startRunAtDify(work: AiRunContext): Promise<AiRunResult> {
  const { services, tenantId, run, task, access } = work
  const type = run.targetType as AiTargetType
  const known = await services.unit({ tenantId }, async (db) => ({
    ...(await loadAiTargetFacts(db, type, run.targetId!, services.now())),
    shop: await db.get(basicShopInfo, run.shopId!),
    event: run.eventId
      ? await db.one<{ type: string; content: string; picture: string | null }>(
          sql`select type, content, picture from shop_event where tenant_id = ${tenantId} and id = ${run.eventId}`,
        )
      : undefined,
  }))
  const picture = await obtainAiRunPicture(services, tenantId, {
    ...(type === 'camera' ? { cameraId: run.targetId! } : {}),
    known: known.event?.picture ?? known.picture,
  })
  if (type === 'camera' && !picture) throw new AiRunEndedError('noPicture')
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
  if ((await updateRun(work, { steps: 0 })) === AI_RUN_STATE.stopping) return { status: 'stopped' }
  return consumeStream(work, (signal) => startDifyRunStream(access, image ? { ...inputs, image } : inputs, signal))
}

/** Follows a run whose process died or whose connection broke. */
export async function resumeRunAtDify(work: AiRunContext): Promise<AiRunResult> {
  const { access, run } = work
  if (run.status === AI_RUN_STATE.stopping && run.difyTaskId) await stopDifyRun(access, run.difyTaskId)
  return consumeStream(work, (signal) => resumeDifyRunStream(access, run.runId!, signal), true)
}

/** Saves the progress of a run and publishes it. Returns the stored state, which somebody may have changed. */
async function updateRun({ services, tenantId, run }: AiRunContext, patch: PatchOf<typeof aiTaskLog>): Promise<string> {
  return services.unit({ tenantId }, async (db) => {
    const row = Object.keys(patch).length ? await db.update(aiTaskLog, run.id, patch) : await db.get(aiTaskLog, run.id)
    if (row && Object.keys(patch).length) publishRowsChanged({ db }, aiTaskLog, [row])
    Object.assign(run, row)
    return row?.status ?? AI_RUN_STATE.stopped
  })
}

/** Counts the tokens of a step at once; returns whether the budget is now used up, so that the run can be stopped. */
async function count(work: AiRunContext, tokens: number): Promise<boolean> {
  const { services, tenantId, run } = work
  if (tokens <= 0) return false
  return services.unit({ tenantId }, async (db) => {
    const now = (await db.get(aiTaskLog, run.id, 'forUpdate'))!
    const all = (now.tokens ?? 0) + tokens
    const row = await db.update(aiTaskLog, run.id, { tokens: all, cost: computeAiCostYuan(all, now.price) })
    Object.assign(run, row)
    return isAiBudgetSpent(await addAiUsage(db, services.now(), { tokens, price: now.price ?? 0 }))
  })
}

type Following = {
  steps: number
  said: string
  shownAt: number
  stopping: AiRunEnding | 'asked' | null
  /** The stream is resumed: repeated steps were counted before, so tokens are taken only from the end. */
  isAgain: boolean
}

type Open = (signal: AbortSignal) => AsyncGenerator<DifyEvent>

async function consumeStream(work: AiRunContext, open: Open, isAgain = false): Promise<AiRunResult> {
  const late = AbortSignal.timeout(difyTimeouts.totalMs)
  const state: Following = { steps: 0, said: '', shownAt: 0, stopping: null, isAgain }
  try {
    for await (const event of open(AbortSignal.any([work.signal, late]))) {
      const end = await handleStreamEvent(work, state, event)
      if (end) return end
    }
  } catch (error) {
    if (work.signal.aborted) throw error
    if (late.aborted) return await finishLate(work)
    if (error instanceof AiRunEndedError) throw error
    if (!(error instanceof VendorError) || error.isUndone) throw error
    return afterDisconnect(work, state, error)
  }
  return afterDisconnect(work, state, new AiRunEndedError('lost'))
}

/**
 * After the stream broke off: returns the result if the run has ended; else throws, so that the job queries it later.
 */
async function afterDisconnect(work: AiRunContext, state: Following, error: Error): Promise<AiRunResult> {
  const known = await fetchRunResultFromDify(work)
  if (known && known !== 'running') return withStopReason(state, known)
  throw error
}

async function finishLate(work: AiRunContext): Promise<AiRunResult> {
  if (work.run.difyTaskId) await stopDifyRun(work.access, work.run.difyTaskId).catch(() => {})
  return { status: 'failed', ending: 'late' }
}

/** Handles one event of the stream; returns the result if it is the last. */
async function handleStreamEvent(
  work: AiRunContext,
  state: Following,
  event: DifyEvent,
): Promise<AiRunResult | undefined> {
  const { data = {} } = event
  switch (event.event) {
    case 'workflow_started':
      return began(work, state, event)
    case 'node_started':
      await updateRun(work, { step: sanitizeModelText(data.title, STEP_MAX) })
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
        note: `${sanitizeModelText(event.code, 100) ?? ''} ${sanitizeModelText(event.message, 300) ?? ''}`.trim(),
      }
    default:
      return undefined
  }
}

async function began(work: AiRunContext, state: Following, event: DifyEvent): Promise<undefined> {
  const runId = sanitizeModelText(event.workflow_run_id, 64)
  const difyTaskId = sanitizeModelText(event.task_id, 64)
  if (!runId || !difyTaskId) throw new AiRunEndedError('malformed', 'unknown')
  work.isBegun = true
  const status = await updateRun(work, { runId, difyTaskId })
  if (status === AI_RUN_STATE.stopping) await stop(work, state, 'asked')
  return undefined
}

async function nodeDone(work: AiRunContext, state: Following, data: Record<string, any>): Promise<undefined> {
  const used = state.isAgain ? 0 : tokensOf(data.execution_metadata?.total_tokens)
  const isSpentNow = await count(work, used)
  await updateRun(work, {
    steps: ++state.steps,
    ...(state.said ? { said: sanitizeModelText(state.said, OUTPUT_MAX) } : {}),
  })
  if (isSpentNow) await stop(work, state, 'budget')
  return undefined
}

/** Maximum plausible tokens of a run; a larger number counts as 0. */
const TOKENS_MAX = 1e9
const tokensOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= TOKENS_MAX ? Math.round(value) : 0

async function show(work: AiRunContext, state: Following, text: unknown): Promise<undefined> {
  if (typeof text === 'string' && state.said.length < OUTPUT_MAX) state.said += text.slice(0, OUTPUT_MAX)
  if (Date.now() - state.shownAt < SHOW_MS) return undefined
  state.shownAt = Date.now()
  await updateRun(work, { said: sanitizeModelText(state.said, OUTPUT_MAX) })
  return undefined
}

/** Asks Dify to stop the run; it reports the end in the stream. */
async function stop(work: AiRunContext, state: Following, why: Following['stopping']): Promise<undefined> {
  if (state.stopping) return undefined
  state.stopping = why
  await updateRun(work, { status: AI_RUN_STATE.stopping })
  await stopDifyRun(work.access, work.run.difyTaskId!)
  return undefined
}

/** Replaces the ending of a stopped run by our reason for stopping it. */
function withStopReason({ stopping }: Following, end: AiRunResult): AiRunResult {
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

/** Converts the state of a Dify run to a result; unknown states become `unknown`. */
function endOf(run: DifyRun): AiRunResult {
  const status = Object.hasOwn(ENDS, run.status) ? ENDS[run.status as keyof typeof ENDS] : 'unknown'
  return {
    status,
    outputs: run.outputs,
    tokens: tokensOf(run.total_tokens),
    ...(run.error ? { note: sanitizeModelText(run.error, 500) ?? '' } : {}),
  }
}

/** Queries a run at Dify: its result, `running`, or undefined if Dify does not know it. */
export async function fetchRunResultFromDify(work: AiRunContext): Promise<AiRunResult | 'running' | undefined> {
  const { run, access } = work
  if (!run.runId) {
    const runId = await findDifyRunId(access, run.id)
    if (!runId) return undefined
    await updateRun(work, { runId })
  }
  const found = await fetchDifyRun(access, run.runId!).catch((error: unknown) => {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  })
  if (!found) return undefined
  return found.status === 'running' || found.status === 'paused' ? 'running' : endOf(outputsRead(found))
}

/** Parses the outputs, which Dify returns as text when a run is queried. */
function outputsRead(found: DifyRun): DifyRun {
  if (typeof found.outputs !== 'string') return found
  try {
    return { ...found, outputs: parseUntrustedJson(found.outputs) as unknown }
  } catch {
    return { ...found, outputs: { text: found.outputs } }
  }
}
