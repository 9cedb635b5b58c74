import { expect, test } from 'vitest'
import { readEvents } from './live-stream.ts'

async function read(...pieces: string[]) {
  const events: [string, unknown][] = []
  let bytes = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  await readEvents(
    body,
    () => (bytes += 1),
    (topic, data) => events.push([topic, data]),
  )
  return { events, bytes }
}

test('events arrive whole however the network cuts them', async () => {
  const { events } = await read('event: or', 'der\nda', 'ta: {"id":"1"', '}\n\nevent: notice\ndata: 2\n\n')
  expect(events).toEqual([
    ['order', { id: '1' }],
    ['notice', 2],
  ])
})

test('comments are a sign of life and no event; what is not JSON is dropped', async () => {
  const { events, bytes } = await read(': ping\n\n', 'event: x\ndata: {broken\n\n')
  expect(events).toEqual([])
  expect(bytes).toBe(2)
})
