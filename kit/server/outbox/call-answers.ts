import { OutboundCallError, classifyOutboundFault } from './outbound-call-error.ts'
import type { FaultEnd, OutboundAnswer, OutboundCallDefinition, OutboundContext } from './call-definition.ts'
import type { StateCode } from './call-rows.ts'
import { countOfField, patchOfFields } from './call-patch.ts'

const REASON_MAX = 500

type Definition<Row> = OutboundCallDefinition<Row, any>

/** A call whose row is claimed. `isAccepted`: the other side has accepted it, so that it is only asked about. */
export type ClaimedCall<Row> = OutboundContext<Row, unknown> & { isAccepted: boolean }

/** An answer, or that the call is tried again in this state because of `problem`. */
export type CallResult<Row> =
  | OutboundAnswer<Row>
  | { outcome: 'retry'; state: StateCode; patch: Partial<Row>; problem: OutboundCallError }

export const unknownAnswer = <Row>({ fields, texts }: Definition<Row>): OutboundAnswer<Row> => ({
  outcome: 'unknown',
  patch: patchOfFields(fields, { reason: texts?.unknown }),
})

export const expiredAnswer = <Row>({ fields, texts }: Definition<Row>): OutboundAnswer<Row> => ({
  outcome: 'expired',
  patch: patchOfFields(fields, { reason: texts?.expired }),
})

/**
 * Ends a call that may have been sent before and must not be sent again: nobody can find out what became of it, or its
 * time is over. Undefined when it goes on.
 */
export function endOfLostCall<Row>(
  definition: Definition<Row>,
  { row, work, isAgain, isOver, services }: ClaimedCall<Row>,
): OutboundAnswer<Row> | undefined {
  if (!isAgain || definition.find) return undefined
  if (!definition.isRepeatable?.(row, work, services.now())) return unknownAnswer(definition)
  return isOver ? expiredAnswer(definition) : undefined
}

/**
 * Asks about a call that may have been sent before, and sends it when it is new or never arrived. A failed question
 * says nothing of the call, which stays as it is.
 */
export async function answerOfCall<Row>(
  definition: Definition<Row>,
  context: ClaimedCall<Row>,
): Promise<CallResult<Row>> {
  const { find, check = find, send } = definition
  const { isAgain, isOver, isAccepted } = context
  if (isAgain) {
    const found = await (isAccepted ? check : find)?.(context).catch(faultOf)
    if (found instanceof OutboundCallError)
      return isAccepted ? { outcome: 'accepted' } : unclearAnswer(definition, context, found)
    if (found) return found
    if (isAccepted) return { outcome: 'accepted' }
    if (isOver) return definition.states.unknown ? unknownAnswer(definition) : expiredAnswer(definition)
  }
  const answer = await send(context).catch(faultOf)
  return answer instanceof OutboundCallError ? answerOfFault(definition, context, answer) : answer
}

function faultOf(error: unknown): OutboundCallError {
  if (error instanceof OutboundCallError) return error
  throw error
}

/** What an error of sending means for the call. */
async function answerOfFault<Row>(
  definition: Definition<Row>,
  context: ClaimedCall<Row>,
  error: OutboundCallError,
): Promise<CallResult<Row>> {
  const { states, find, doubtsRefusals } = definition
  const fault = classifyOutboundFault(error)
  if (fault === 'unclear' || (fault === 'unsent' && find)) return unclearAnswer(definition, context, error)
  if (fault === 'unsent' && !isLastAttempt(definition, context)) {
    const patch = explained(definition, context, error, 'unsent')
    return { outcome: 'retry', state: states.unsent ?? states.queued, patch, problem: error }
  }
  const found = doubtsRefusals ? await find?.(context).catch(faultOf) : undefined
  if (found instanceof OutboundCallError) return unclearAnswer(definition, context, error)
  return found ?? { outcome: 'failed', patch: explained(definition, context, error, 'refused') }
}

/** A call without a clear answer is asked about or repeated as long as that is possible; then nobody knows. */
function unclearAnswer<Row>(
  definition: Definition<Row>,
  context: ClaimedCall<Row>,
  error: OutboundCallError,
): CallResult<Row> {
  const { states, find, isRepeatable } = definition
  const { row, work, isOver, services } = context
  const canFindOut = find !== undefined || isRepeatable?.(row, work, services.now()) === true
  if (canFindOut && !isOver && !isLastAttempt(definition, context)) {
    const patch = explained(definition, context, error, 'unclear')
    return { outcome: 'retry', state: states.unclear ?? states.sent, patch, problem: error }
  }
  return { outcome: 'unknown', patch: explained(definition, context, error, 'unknown') }
}

const isLastAttempt = <Row>({ fields, attemptsMax = Infinity }: Definition<Row>, { row }: ClaimedCall<Row>): boolean =>
  countOfField(row, fields.attempts) >= attemptsMax

/** What an error leaves in the row: by default a refusal's message, and the declared text when nobody knows. */
function explained<Row>(
  { explain, fields, texts }: Definition<Row>,
  { row }: ClaimedCall<Row>,
  error: OutboundCallError,
  end: FaultEnd,
): Partial<Row> {
  if (explain) return explain(error, end, row)
  const reason = end === 'refused' ? error.message.slice(0, REASON_MAX) : end === 'unknown' ? texts?.unknown : undefined
  return patchOfFields(fields, { reason })
}
