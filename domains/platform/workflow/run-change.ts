import { sql, unitOfWork, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { createCallOnBehalfOf } from '#kit/server/lists/bulk.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { actorOfCaller, authoriseCall, databaseErrorRefusal } from '#kit/server/request/pipeline.ts'
import { sentencesOf } from '#kit/server/request/envelope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob, type Call, type Route } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { findApprovableOperation } from './acts-offered.ts'
import { changeRequestQueue } from './change-words.ts'
import { executeOperation, findDivergingRows, findStaleRows, type OperationEffects, type StaleRow } from './effects.ts'
import { explainStaleRows } from './why-stale.ts'
import { CHANGE_REQUEST_STATE, flowChange, changeRequestStateDictionary } from './flow-change.resource.ts'
import { flowInstance, PROCESS_OUTCOME } from './flow-instance.resource.ts'
import { PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import { advanceInstance, type ProcessEndListener } from './process-runtime.ts'
import { processTasksTopic } from './topics.ts'

type Change = RowOf<typeof flowChange>
/** Rows that differ from what was approved: `before` as it was seen, `after` as it is or would become. */
type Stales = { rows: StaleRow[]; isOtherwise: boolean }
export type StoredChangeRequest = {
  call: { path: string; query: Record<string, string>; body: unknown; lang: Call['lang'] }
  asker: Caller
  effects: OperationEffects
  /** Set when the request was not executed because rows differed: those rows. */
  moved: Stales | null
}

/** Encrypts the call of a request while it waits: its arguments may hold passwords or card numbers. */
export const encryptChangeRequestCall = (services: Services, kept: StoredChangeRequest['call']): string =>
  secretCipherOf(services).seal(JSON.stringify(kept))

export async function loadStoredChangeRequest(
  { db, services }: Pick<Call, 'db' | 'services'>,
  id: string,
): Promise<StoredChangeRequest> {
  const row = await db.one<Omit<StoredChangeRequest, 'call'> & { call: StoredChangeRequest['call'] | string }>(
    sql`select call, asker, effects, moved from flow_change_call where tenant_id = ${db.tenantId} and id = ${id}`,
  )
  const { call, ...kept } = row!
  // Older rows are not encrypted.
  return { ...kept, call: typeof call === 'string' ? JSON.parse(secretCipherOf(services).open(call)) : call }
}

const ENDS: Record<number, number> = {
  [PROCESS_OUTCOME.refused]: CHANGE_REQUEST_STATE.refused,
  [PROCESS_OUTCOME.withdrawn]: CHANGE_REQUEST_STATE.withdrawn,
  [PROCESS_OUTCOME.stopped]: CHANGE_REQUEST_STATE.withdrawn,
}

/**
 * Handles the end of the approval process: an agreed request is executed by its own job in the requester's name, others
 * are closed.
 */
export const changeRequestEndListener: ProcessEndListener = async ({ db, services }, { outcome, businessId }) => {
  const row = await db.get(flowChange, businessId, 'forUpdate')
  if (row?.state !== CHANGE_REQUEST_STATE.waiting) return
  if (outcome !== PROCESS_OUTCOME.agreed)
    return completeChange(db, services, row, ENDS[outcome] ?? CHANGE_REQUEST_STATE.refused)
  await db.update(flowChange, row.id, { state: CHANGE_REQUEST_STATE.agreed })
  await db.enqueue(changeRequestQueue, { id: row.id }, { key: row.id })
}

/** Closes a change request with its result and notifies the requester, and the approvers when it was not executed. */
async function completeChange(
  db: Db,
  services: Services,
  row: Change,
  state: number,
  problem?: LocalizedText,
): Promise<void> {
  const ended = await db.update(flowChange, row.id, {
    state,
    outcome: problem?.zh.slice(0, 500) ?? '',
    outcomeEn: problem?.en.slice(0, 500) ?? '',
    endTime: formatShanghaiTime(services.now()),
  })
  publishRowsChanged({ db }, flowChange, [ended])
  db.publish(processTasksTopic, { instanceId: row.instanceId })
  const words = changeRequestStateDictionary.entries.find((one) => one.key === String(state))!
  const content = {
    zh: `${row.title}：${words.zh}${problem ? `（${problem.zh}）` : ''}`,
    en: `${row.titleEn}: ${words.en}${problem ? ` (${problem.en})` : ''}`,
  }
  // Approvers assume that it was executed unless they are told.
  const recipients = UNAPPLIED_CHANGE_STATES.includes(state)
    ? [row.userId!, ...(await agreedBy(db, row))]
    : [row.userId!]
  for (const userId of new Set(recipients))
    await notifyPerson(db, services, { userId, template: 'flow', content, key: `change/${row.id}/${state}/${userId}` })
}

/** States of requests that were agreed to but not executed, or not known to be. */
export const UNAPPLIED_CHANGE_STATES: readonly number[] = [
  CHANGE_REQUEST_STATE.stale,
  CHANGE_REQUEST_STATE.failed,
  CHANGE_REQUEST_STATE.unknown,
]

async function agreedBy(db: Db, row: Change): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select distinct assignee::text as id from flow_task
    where tenant_id = ${db.tenantId} and instance_id = ${row.instanceId} and state = 'done' and is_passed
      and assignee is not null`)
  return rows.map(({ id }) => id)
}

/**
 * Thrown when execution would differ from what was approved: rows changed since, or (`isOtherwise`) the operation now
 * does something else.
 */
class Stale extends Error {
  readonly moved: StaleRow[]
  readonly isOtherwise: boolean
  constructor(moved: StaleRow[], isOtherwise = false) {
    super('stale')
    this.moved = moved
    this.isOtherwise = isOtherwise
  }
}

const completeStale = async (db: Db, looker: Doing, row: Change, { moved, isOtherwise }: Stale): Promise<void> => {
  await db.run(sql`update flow_change_call set moved = ${JSON.stringify({ rows: moved, isOtherwise } satisfies Stales)}
    where tenant_id = ${db.tenantId} and id = ${row.id}`)
  await completeChange(
    db,
    looker.services,
    row,
    CHANGE_REQUEST_STATE.stale,
    explainStaleRows({ db, ...looker }, moved, isOtherwise),
  )
}

const wordsOf = (error: unknown): LocalizedText | undefined => {
  const refused = error instanceof Refused ? error : databaseErrorRefusal(error)
  return refused && sentencesOf(refused)
}

type Doing = {
  services: Services
  tenantId: string
  id: string
  route: Route
  kept: StoredChangeRequest
  caller: Caller
}

/**
 * Rebuilds the stored call in the requester's name, with their current rights. Refuses when those no longer suffice.
 */
async function callOf({ services, route, kept, caller }: Doing): Promise<Omit<Call, 'db'>> {
  const { path, query, body, lang } = kept.call
  await authoriseCall(caller, route.can, path, services, route)
  const given = { ...(typeof body === 'object' && body !== null ? body : {}), ...query } as Record<string, unknown>
  return {
    ...createCallOnBehalfOf(services, caller, lang),
    query,
    body,
    input: route.input ? parseInput(route.input, given) : {},
    isApproved: true,
  }
}

/** Executes a request in one transaction, if the rows are unchanged and the result is as approved, and records it. */
async function doWithin(doing: Doing): Promise<void> {
  const { services, tenantId, id, route, kept, caller } = doing
  await unitOfWork(services.pool, { tenantId }, { ...actorOfCaller(caller), via: route.path }, async (db) => {
    const row = await db.get(flowChange, id, 'forUpdate')
    if (row?.state !== CHANGE_REQUEST_STATE.agreed) return
    try {
      await db.savepoint(async () => {
        const call = { ...(await callOf(doing)), db }
        await services.labels.ready(tenantId)
        const moved = await findStaleRows(call, kept.effects)
        if (moved.length) throw new Stale(moved)
        const others = findDivergingRows(call, kept.effects, await executeOperation(route, call, kept.effects.rows))
        if (others.length) throw new Stale(others, true)
      })
    } catch (error) {
      if (error instanceof Stale) return completeStale(db, doing, row, error)
      const problem = wordsOf(error)
      if (problem === undefined) throw error
      return completeChange(db, services, row, CHANGE_REQUEST_STATE.failed, problem)
    }
    await completeChange(db, services, row, CHANGE_REQUEST_STATE.done)
  })
}

/**
 * Executes a request that calls other systems. Never starts it twice: one that was started and not finished ends as
 * unknown.
 */
async function doOutside(doing: Doing): Promise<void> {
  const { services, tenantId, id, route, kept, caller } = doing
  const unit = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
  const isBegun = await unit(async (db) => {
    const row = await db.get(flowChange, id, 'forUpdate')
    if (row?.state === CHANGE_REQUEST_STATE.running)
      await completeChange(db, services, row, CHANGE_REQUEST_STATE.unknown)
    if (row?.state !== CHANGE_REQUEST_STATE.agreed) return false
    const moved = await findStaleRows({ db, services, caller }, kept.effects)
    if (moved.length) {
      await completeStale(db, doing, row, new Stale(moved))
      return false
    }
    await db.update(flowChange, id, { state: CHANGE_REQUEST_STATE.running })
    return true
  })
  if (!isBegun) return
  let [state, problem]: [number, LocalizedText | undefined] = [CHANGE_REQUEST_STATE.done, undefined]
  try {
    await route.handle((await callOf(doing)) as Call)
  } catch (error) {
    problem = wordsOf(error)
    state = problem ? CHANGE_REQUEST_STATE.failed : CHANGE_REQUEST_STATE.unknown
    if (!problem) services.log.error({ err: error }, 'an agreed act broke off')
  }
  await unit(async (db) => {
    const row = await db.get(flowChange, id, 'forUpdate')
    if (row?.state === CHANGE_REQUEST_STATE.running) await completeChange(db, services, row, state, problem)
  })
}

async function expire(services: Services, tenantId: string, id: string): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const seen = await db.get(flowChange, id)
    if (seen?.state !== CHANGE_REQUEST_STATE.waiting) return
    const instance = await db.get(flowInstance, seen.instanceId!, 'forUpdate')
    const row = await db.get(flowChange, id, 'forUpdate')
    if (row?.state !== CHANGE_REQUEST_STATE.waiting) return
    await completeChange(db, services, row, CHANGE_REQUEST_STATE.expired)
    if (!instance || instance.endTime) return
    if (instance.suspensionState === PROCESS_SUSPENSION_STATE.suspended)
      await db.update(flowInstance, instance.id, { suspensionState: PROCESS_SUSPENSION_STATE.active })
    const ground = { db, services, now: services.now() }
    await advanceInstance(ground, instance.id, { do: 'stop' }, () => PROCESS_OUTCOME.stopped)
  })
}

/** Executes an agreed request, or with `isExpiry` closes one that nobody decided in time. */
export const executeChangeRequestJob = defineModuleJob({
  queue: changeRequestQueue,
  concurrency: 2,
  run: async ({ id, isExpiry }, { tenantId, services }) => {
    if (isExpiry) return expire(services, tenantId, id)
    await services.own?.ready(tenantId)
    const [row, kept] = await services.unit({ tenantId }, async (db) => [
      await db.get(flowChange, id),
      await loadStoredChangeRequest({ db, services }, id),
    ])
    if (row?.state !== CHANGE_REQUEST_STATE.agreed && row?.state !== CHANGE_REQUEST_STATE.running) return
    const route = findApprovableOperation(services.registry, kept.call.path)
    const caller = await services.access.again({
      ...kept.asker,
      permissions: new Set<string>(),
      apiScopeIds: new Set<string>(),
    })
    if (!route || !caller)
      return services.unit({ tenantId }, async (db) => {
        const now = await db.get(flowChange, id, 'forUpdate')
        const why = wordsOf(new Refused(route ? 'forbidden' : 'no_such_path'))
        if (now?.state === CHANGE_REQUEST_STATE.agreed)
          await completeChange(db, services, now, CHANGE_REQUEST_STATE.failed, why)
      })
    await (route.tx === false ? doOutside : doWithin)({ services, tenantId, id, route, kept, caller })
  },
})
