/** Thrown when an engine rejects the request. Trying again would give the same answer. */
export class SpeechRejectedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
