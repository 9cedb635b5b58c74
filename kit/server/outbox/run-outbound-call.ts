import type { Db } from '../database/db.ts'
import type { Services } from '../module/services.ts'
import { formatShanghaiTime, parseShanghaiTime } from '../base/time.ts'
import {
  answerOfCall,
  endOfLostCall,
  expiredAnswer,
  unknownAnswer,
  type CallResult,
  type ClaimedCall,
} from './call-answers.ts'
import { openStatesOf, type OutboundAnswer, type OutboundPayload } from './call-definition.ts'
import { countOfField, isPast, patchOfFields, stateOfRow, textOfField } from './call-patch.ts'
import { recordAnswer, writeAnswer, type RunnableCall } from './record-answer.ts'

type Run = OutboundPayload & {
  services: Services
  tenantId: string
  signal: AbortSignal | undefined
  /** It runs in the queue of questions, where the call has one. */
  isCheck: boolean
}

const LEASE_MS = 60_000

/**
 * Sends a call, or asks what became of it, and stores the answer. Returns the answer, undefined when there was nothing
 * to do. Safe to repeat at any point: who dies after the first commit leaves the row in `sent`.
 */
export async function runOutboundCall<Row>(call: RunnableCall<Row>, run: Run): Promise<CallResult<Row> | undefined> {
  const { services, tenantId } = run
  const { definition } = call
  const claimed = await services.unit({ tenantId }, (db) => claimCall(db, call, run))
  if (!claimed) return undefined
  if (claimed.isAnswered) return void (await definition.follow?.(claimed))
  const answer = await answerOfCall(definition, claimed)
  await services.unit({ tenantId }, (db) => recordAnswer(db, call, claimed, answer, run))
  if (answer.outcome !== 'retry') await definition.follow?.(claimed)
  return answer
}

type DueCall<Row> = { row: Row; isAgain: boolean; isOver: boolean; isAccepted: boolean }

/** Locks the row. Undefined when the call has ended, or nothing is due. */
async function lockDue<Row>(
  db: Db,
  call: RunnableCall<Row>,
  { id, services, isCheck }: Run,
): Promise<(DueCall<Row> & { isAnswered: boolean }) | undefined> {
  const { fields, states, rows, follow, checkQueue } = call.definition
  const row = await rows.lock(db, id)
  if (!row) return undefined
  const state = stateOfRow(row, fields)
  const isAnswered = follow !== undefined && state === states.done
  if (!isAnswered && !openStatesOf(states).includes(state)) return undefined
  const now = services.now()
  const dueTime = isAnswered
    ? undefined
    : [fields.nextTime, fields.leaseUntil]
        .map((key) => textOfField(row, key))
        .find((time) => time !== null && !isPast(time, now))
  if (dueTime) return void (await call.enqueue(db, id, { runAt: parseShanghaiTime(dueTime) }))
  const isAccepted = state === states.accepted && states.accepted !== states.sent
  if (isAccepted && checkQueue && !isCheck) return void (await call.enqueueCheck(db, id))
  const isOver = isPast(textOfField(row, fields.expireTime), now)
  return { row, isAgain: state !== states.queued, isOver, isAccepted, isAnswered }
}

/** Locks the row and moves it to `sent`. Undefined when there is nothing to do now. `isAnswered`: only to follow. */
async function claimCall<Row>(
  db: Db,
  call: RunnableCall<Row>,
  run: Run,
): Promise<(ClaimedCall<Row> & { isAnswered: boolean }) | undefined> {
  const { definition } = call
  const { id, services, tenantId, signal } = run
  const found = await lockDue(db, call, run)
  if (!found) return undefined
  const { row, isAgain, isOver, isAccepted, isAnswered } = found
  const end = async (answer: OutboundAnswer<Row>) => void (await writeAnswer(db, call, { services, row, answer, id }))
  if (isOver && !isAgain) return end(expiredAnswer(definition))
  const prepared = await definition.prepare(db, row, services, isAgain)
  if (!prepared) return undefined
  if ('runAt' in prepared) {
    if (prepared.patch) await definition.rows.update(db, row, prepared.patch)
    return void (await call.enqueue(db, id, { runAt: prepared.runAt }))
  }
  if ('answer' in prepared) return end(withoutDoubt(definition, found, prepared.answer))
  const context = { services, tenantId, row, work: prepared.work, isAgain, isOver, signal, isAccepted, isAnswered }
  if (isAnswered || isAccepted) return context
  const lost = endOfLostCall(definition, context)
  return lost ? end(lost) : { ...context, row: await moveToSent(db, call, row, services.now(), prepared.patch) }
}

/** A call that may have been sent before never fails for something that is missing now: its outcome is unknown. */
const withoutDoubt = <Row>(
  definition: RunnableCall<Row>['definition'],
  { isAgain, isAccepted }: DueCall<Row>,
  answer: OutboundAnswer<Row>,
): OutboundAnswer<Row> =>
  isAgain && !isAccepted && answer.outcome === 'failed' && definition.states.unknown
    ? unknownAnswer(definition)
    : answer

const moveToSent = <Row>(
  db: Db,
  { definition: { fields, states, rows } }: RunnableCall<Row>,
  row: Row,
  now: Date,
  patch: Partial<Row> | undefined,
): Promise<Row> =>
  rows.update(db, row, {
    ...patchOfFields(fields, {
      state: states.sent,
      attempts: countOfField(row, fields.attempts) + 1,
      sentTime: textOfField(row, fields.sentTime) ?? formatShanghaiTime(now),
      leaseUntil: formatShanghaiTime(new Date(now.getTime() + LEASE_MS)),
    }),
    ...patch,
  })
