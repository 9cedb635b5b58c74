import { createParser } from 'eventsource-parser'

/** Reads server-sent events from a body until it ends. Calls `alive` for every chunk, comments included. */
export async function readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
  event: (topic: string, data: unknown) => void,
) {
  const parser = createParser({
    onEvent: ({ event: topic = 'message', data }) => {
      let payload: unknown
      try {
        payload = JSON.parse(data)
      } catch {
        // Only JSON events are ours; others are ignored.
        return
      }
      event(topic, payload)
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    alive()
    parser.feed(value)
  }
}
