import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { createWorkOrder } from '#domains/shops/work-orders/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { SYSTEM_TEXT_SEPARATOR } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { UNFINISHED_AI_RUN_STATES, type AiRunRow, type AiTaskRow } from './begin-runs.ts'
import { aiDictionaries } from './dictionaries.ts'
import {
  toStorableRunOutputs,
  sanitizeModelText,
  parseRunOutput,
  type ParsedFinding,
  type ParsedRunOutput,
} from './findings.ts'
import { aiRunEndingTexts, type AiRunEnding } from './run-words.ts'
import { computeAiCostYuan, addAiUsage } from './usage.ts'

/** Result of a run: as Dify reports it, or why we ended it. */
export type AiRunResult = {
  status: 'succeeded' | 'partial' | 'failed' | 'stopped' | 'unknown'
  outputs?: unknown
  tokens?: number
  ending?: AiRunEnding
  /** Message of the platform, in its own words. */
  note?: string
}

/** Failures in a row after which a task is disabled and an event is raised. */
const FAILED_MAX = 3
const ERROR_MAX = 1000

/** Ends a run once, with all consequences in one transaction: usage, findings and task state. */
export async function completeAiRun(
  { services, tenantId, run }: { services: Services; tenantId: string; run: AiRunRow },
  end: AiRunResult,
): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const now = await db.get(aiTaskLog, run.id, 'forUpdate')
    if (now) await completeAiRun.within(db, services, now, end)
  })
}

completeAiRun.within = async (db: Db, services: Services, run: AiRunRow, end: AiRunResult): Promise<void> => {
  if (!UNFINISHED_AI_RUN_STATES.some((one) => one === run.status)) return
  const { reading, status, ending } = readEnd(end)
  await db.update(aiTaskLog, run.id, { ...(await unreportedUsage(db, services, run, end)), step: null })
  const row = await db.update(aiTaskLog, run.id, {
    status,
    level: reading?.level ?? null,
    summary: reading?.summary ?? null,
    outputs: toStorableRunOutputs(end.outputs),
    error: errorOf(ending, end.note),
    seconds: secondsOf(run, services.now()),
  })
  if (ending === 'budget' && status === 'stopped') await addAiUsage(db, services.now(), { ended: 1 })
  publishRowsChanged({ db }, aiTaskLog, [row])
  const task = run.taskId ? await db.get(aiTask, run.taskId, 'forUpdate') : undefined
  if (!task) return
  if (reading) await keepFindings(db, services, { run: row, task, reading })
  await noteTask(db, task, row, ending)
}

type EndRead = Pick<AiRunResult, 'status' | 'ending'> & { reading: ParsedRunOutput | undefined }

/** Reads the outputs of a run that ended well: one whose outputs cannot all be read is partial. */
function readEnd({ status, outputs, ending }: AiRunResult): EndRead {
  const isResult = status === 'succeeded' || status === 'partial'
  const reading = isResult ? parseRunOutput(outputs) : undefined
  if (!reading || reading.isWhole) return { reading, status, ending }
  return { reading, status: 'partial', ending: ending ?? 'unread' }
}

const errorOf = (ending: AiRunEnding | undefined, note: string | undefined): string | null =>
  [ending && aiRunEndingTexts[ending], sanitizeModelText(note, ERROR_MAX / 2)]
    .filter(Boolean)
    .join(SYSTEM_TEXT_SEPARATOR) || null

const secondsOf = ({ startTime }: AiRunRow, now: Date): number =>
  startTime ? Math.max(0, Math.round((now.getTime() - parseShanghaiTime(startTime).getTime()) / 100) / 10) : 0

/** Adds the usage the end reports beyond what the steps have reported; returns the run's totals. */
async function unreportedUsage(
  db: Db,
  services: Services,
  run: AiRunRow,
  end: AiRunResult,
): Promise<PatchOf<typeof aiTaskLog>> {
  const known = run.tokens ?? 0
  const all = Math.max(known, end.tokens ?? 0)
  if (all > known) await addAiUsage(db, services.now(), { tokens: all - known, price: run.price ?? 0 })
  return { tokens: all, cost: computeAiCostYuan(all, run.price) }
}

type CompletedRun = { run: AiRunRow; task: AiTaskRow; reading: ParsedRunOutput }

/**
 * Saves the findings of a run, one open finding for each place, kind and product: seeing it again raises its count and
 * replaces its details.
 */
async function keepFindings(db: Db, services: Services, { run, task, reading }: CompletedRun): Promise<void> {
  const time = formatShanghaiTime(services.now())
  const byKey = Map.groupBy(reading.items, (one) => openKeyOf(run, one))
  // Locked in one order, so that two runs of the same place do not deadlock.
  for (const openKey of [...byKey.keys()].toSorted()) await db.advisoryLock(`aiFinding/${openKey}`)
  for (const [openKey, items] of byKey) {
    // Of several with the same key the most confident one is used.
    const found = items.toSorted((a, b) => b.confidence - a.confidence)[0]!
    const { type } = found
    const subject = `${task.id}/${type}/${run.targetId}`
    const [open] = await db.find(aiFinding, sql`r.open_key = ${openKey}`)
    const isSure = found.confidence >= (task.threshold ?? 100)
    const led = isSure ? await followUp(db, services, { run, task, found, subject: open?.subject ?? subject }) : {}
    const seen: PatchOf<typeof aiFinding> = {
      said: found.said,
      confidence: found.confidence,
      box: found.box,
      upc: found.upc,
      advice: found.advice,
      picture: run.picture,
      logId: run.id,
      targetName: run.targetName,
      lastTime: time,
      ...led,
    }
    const row = open
      ? await db.update(aiFinding, open.id, { ...seen, count: (open.count ?? 1) + 1 })
      : await db.insert(aiFinding, {
          ...seen,
          type,
          taskId: task.id,
          shopId: run.shopId,
          subject,
          verdict: 'open',
          count: 1,
          firstTime: time,
          openKey,
        })
    publishRowsChanged({ db }, aiFinding, [row])
  }
}

/** Key of an open finding: shop, target, kind and product, independent of the task. */
const openKeyOf = ({ shopId, targetType, targetId }: AiRunRow, { type, upc }: ParsedFinding): string =>
  [shopId, targetType, targetId, type, upc].map((part) => part ?? '').join('/')

const kinds = aiDictionaries.find(({ code }) => code === 'ai_finding')!.entries

type ConfidentFinding = { run: AiRunRow; task: AiTaskRow; found: ParsedFinding; subject: string }

/**
 * Raises an event or creates a work order for a finding above the threshold, marked as an AI result. Nothing else is
 * done automatically.
 */
async function followUp(
  db: Db,
  services: Services,
  { run, task, found, subject }: ConfidentFinding,
): Promise<PatchOf<typeof aiFinding>> {
  const { outcome } = task
  if (outcome !== 'event' && outcome !== 'work') return {}
  const kind = kinds.find(({ key }) => key === found.type)!
  const about = `${run.targetName ?? ''}`.slice(0, 60)
  const zh = `AI 发现 ${kind.zh}：${found.said}（${about}，把握 ${Math.round(found.confidence)}%）`
  const en = `AI sees ${kind.en}: ${found.said} (${about}, ${Math.round(found.confidence)} % sure)`
  if (outcome === 'event') {
    const eventId = await raiseEvent(db, {
      shopId: run.shopId!,
      type: 'aiFinding',
      subject,
      content: { zh, en },
      ...(run.picture ? { picture: run.picture } : {}),
      ...(run.targetType === 'camera' ? { deviceId: run.targetId! } : {}),
    })
    return { eventId }
  }
  const open = await db.one<{ workId: string }>(sql`
    select f.work_id from ai_finding f join work_info w on w.tenant_id = f.tenant_id and w.id = f.work_id
    and w.is_deleted = 0 and w.status < 3 where f.tenant_id = ${db.tenantId} and f.subject = ${subject}
    order by f.id desc limit 1`)
  if (open) return { workId: open.workId }
  const work = await createWorkOrder(db, services.now(), {
    title: zh.slice(0, 100),
    type: 'inspect',
    shopId: run.shopId!,
    content: [zh, found.advice].filter(Boolean).join('\n'),
    pictures: run.picture ? [run.picture] : [],
  })
  return { workId: work.id }
}

async function noteTask(db: Db, task: AiTaskRow, run: RowOf<typeof aiTaskLog>, ending?: AiRunEnding): Promise<void> {
  const isFailure = (run.status === 'failed' || run.status === 'unknown') && ending !== 'budget'
  const failedRuns = isFailure ? (task.failedRuns ?? 0) + 1 : run.status === 'stopped' ? (task.failedRuns ?? 0) : 0
  const isOff = isFailure && failedRuns >= FAILED_MAX && task.enabled !== false
  const row = await db.update(aiTask, task.id, {
    lastStatus: run.status,
    failedRuns: isOff ? 0 : failedRuns,
    ...(isOff ? { enabled: false } : {}),
  })
  publishRowsChanged({ db }, aiTask, [row])
  if (!isOff) return
  await raiseEvent(db, {
    shopId: task.shopId,
    type: 'aiTaskOff',
    subject: task.id,
    content: {
      zh: `AI 任务“${task.name}”连续失败 ${FAILED_MAX} 次，已停用`,
      en: `The AI task "${task.name}" failed ${FAILED_MAX} times in a row and is out of use`,
    },
  })
}
