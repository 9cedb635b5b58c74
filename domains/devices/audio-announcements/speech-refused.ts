/** An engine answered, and the answer is no: asked again it says the same. */
export class SpeechRejectedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
