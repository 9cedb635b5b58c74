/** What an error says of an outbound call: whether it may have taken effect, and whether asking again may help. */
type OutboundFault = {
  /** Whether the call certainly had no effect: it was refused or never sent. Otherwise its outcome is unknown. */
  isUndone: boolean
  /** Whether a repetition under the same idempotency key may succeed. */
  isRetryable: boolean
}

/** Error of a client of another system. Anything else that a call throws is a fault of ours. */
export class OutboundCallError extends Error implements OutboundFault {
  readonly isUndone: boolean
  readonly isRetryable: boolean
  constructor(message: string, { isUndone, isRetryable, cause }: OutboundFault & { cause?: unknown }) {
    super(message, { cause })
    this.isUndone = isUndone
    this.isRetryable = isRetryable
  }
}

/**
 * What an error means for the call: `refused` for good, `unsent` and worth another attempt, or `unclear`, which is
 * asked about and never told as failed.
 */
export const classifyOutboundFault = ({ isUndone, isRetryable }: OutboundFault): 'refused' | 'unsent' | 'unclear' =>
  isUndone ? (isRetryable ? 'unsent' : 'refused') : 'unclear'
