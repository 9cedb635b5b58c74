import type { Db } from '../database/db.ts'
import type { Services } from '../module/services.ts'
import { formatShanghaiTime } from '../base/time.ts'
import type { CallResult, ClaimedCall } from './call-answers.ts'
import {
  openStatesOf,
  type CallStates,
  type OutboundAnswer,
  type OutboundCallDefinition,
  type OutboundPayload,
} from './call-definition.ts'
import type { StateCode } from './call-rows.ts'
import { patchOfFields, stateOfRow, textOfField } from './call-patch.ts'
import type { EnqueueRow } from './row-job.ts'

/** What running needs of a call. */
export type RunnableCall<Row> = {
  definition: OutboundCallDefinition<Row, any>
  enqueue: EnqueueRow
  enqueueCheck: EnqueueRow
}

const CHECK_AFTER_S = [60, 300, 900, 3600]

/** Stores an answer, unless the row ended meanwhile, has another number now, or is in the hands of another sender. */
export async function recordAnswer<Row>(
  db: Db,
  call: RunnableCall<Row>,
  { row: was, services }: ClaimedCall<Row>,
  answer: CallResult<Row>,
  { id, checks = 0 }: OutboundPayload,
): Promise<void> {
  const { fields, states, rows, keyOf } = call.definition
  const row = await rows.lock(db, id)
  if (!row || keyOf?.(row) !== keyOf?.(was)) return
  const state = stateOfRow(row, fields)
  if (!openStatesOf(states).includes(state) && !isWeightier(call.definition, state, answer)) return
  if (fields.leaseUntil && fields.attempts && row[fields.attempts] !== was[fields.attempts]) return
  // Another sender's request was accepted meanwhile, which shows in the other side's number.
  const isAccepted = textOfField(row, fields.theirNo) !== textOfField(was, fields.theirNo)
  if (isAccepted && answer.outcome !== 'done' && answer.outcome !== 'accepted') return
  if (answer.outcome !== 'retry') return writeAnswer(db, call, { services, row, answer, id, checks })
  const free = patchOfFields(fields, { state: answer.state, nextTime: null, leaseUntil: null })
  await rows.update(db, row, { ...free, ...answer.patch })
}

/** Whether an answer outweighs an end: a certain one that of a call given up, an acceptance a refusal of its number. */
const isWeightier = <Row>(
  { states, keyOf }: OutboundCallDefinition<Row, any>,
  state: StateCode,
  { outcome }: CallResult<Row>,
): boolean =>
  outcome === 'done' || outcome === 'accepted'
    ? state === states.unknown || (state === states.failed && keyOf !== undefined)
    : outcome === 'failed' && state === states.unknown

type Written<Row> = { services: Services; row: Row; answer: OutboundAnswer<Row>; id: string; checks?: number }

/** Writes an answer into the locked row, with what follows: the next question, or the end. */
export async function writeAnswer<Row>(
  db: Db,
  call: RunnableCall<Row>,
  { services, row, answer, id, checks = 0 }: Written<Row>,
): Promise<void> {
  const { fields, states, rows, ended, checkAfterS = CHECK_AFTER_S } = call.definition
  const now = services.now()
  if (answer.outcome === 'accepted') {
    const seconds = answer.afterS ?? checkAfterS[checks] ?? checkAfterS.at(-1)!
    const runAt = new Date(now.getTime() + seconds * 1_000)
    const state = states.accepted ?? states.sent
    const own = patchOfFields(fields, { state, nextTime: formatShanghaiTime(runAt), leaseUntil: null })
    const patch = { ...own, ...answer.patch }
    if (hasChanges(row, patch)) await rows.update(db, row, patch)
    return call.enqueueCheck(db, id, { runAt, payload: { checks: checks + 1 } })
  }
  const isDone = answer.outcome === 'done'
  const own = patchOfFields(fields, {
    state: endStateOf(states, answer.outcome),
    nextTime: null,
    leaseUntil: null,
    ...(isDone && { reason: null, doneTime: formatShanghaiTime(now) }),
  })
  const over = await rows.update(db, row, { ...own, ...answer.patch })
  await ended?.(db, over, services, answer)
}

const hasChanges = <Row>(row: Row, patch: Partial<Row>): boolean =>
  Object.entries(patch).some(([key, value]) => row[key as keyof Row] !== value)

function endStateOf(
  { done, failed, unknown, expired }: CallStates,
  outcome: 'done' | 'failed' | 'expired' | 'unknown',
): StateCode {
  if (outcome === 'done') return done
  if (outcome === 'expired') return expired ?? unknown ?? failed
  return outcome === 'unknown' ? (unknown ?? failed) : failed
}
