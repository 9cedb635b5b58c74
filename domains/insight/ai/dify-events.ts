import { createParser } from 'eventsource-parser'
import { RESPONSE_BYTES_MAX } from '#kit/server/request/external-request.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** One message of a run's stream. Unknown kinds are ignored. */
export type DifyEvent = {
  event: string
  task_id?: string
  workflow_run_id?: string
  data?: Record<string, any>
  /** Code and message of an `error` event. */
  code?: string
  message?: string
}

const STREAM_BYTES_MAX = 16 * 1024 * 1024
const EVENT_CHARS_MAX = RESPONSE_BYTES_MAX.json

const tooLong = () =>
  new VendorError({
    system: 'dify',
    code: 'too_long',
    message: 'more came than is read',
    isRetryable: false,
    isUndone: false,
  })

/**
 * Parses the messages of a stream, however it is split into chunks. Skips invalid messages; throws when the stream or a
 * message is too long. `heard` is called for each chunk, pings included.
 */
export async function* parseDifyEvents(
  stream: AsyncIterable<Buffer>,
  onActivity: () => void,
): AsyncGenerator<DifyEvent> {
  const found: DifyEvent[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = data.length > EVENT_CHARS_MAX ? undefined : eventOf(data)
      if (event) found.push(event)
    },
    maxBufferSize: EVENT_CHARS_MAX,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw tooLong()
    },
  })
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of stream) {
    onActivity()
    bytes += piece.length
    if (bytes > STREAM_BYTES_MAX) throw tooLong()
    parser.feed(decoder.decode(piece, { stream: true }))
    yield* found.splice(0)
  }
}

function eventOf(data: string): DifyEvent | undefined {
  try {
    const value: unknown = parseUntrustedJson(data)
    if (typeof value !== 'object' || value === null) return undefined
    return typeof (value as DifyEvent).event === 'string' ? (value as DifyEvent) : undefined
  } catch {
    return undefined
  }
}
