/** Reads server-sent events off a body until it ends. `alive` hears of every byte, comments included. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
  event: (topic: string, data: unknown) => void,
) {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    alive()
    rest += value
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) dispatch(block, event)
  }
}

function dispatch(block: string, event: (topic: string, data: unknown) => void) {
  let topic = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) topic = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  if (!data.length) return
  try {
    event(topic, JSON.parse(data.join('\n')))
  } catch {
    // Not JSON: not one of ours.
  }
}
