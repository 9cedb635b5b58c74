import { expect, test } from 'vitest'
import { readServerSentEvents } from './live-stream.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (...pieces: string[]) => readBytes(...pieces.map(bytesOf))

async function readBytes(...pieces: Uint8Array[]) {
  const events: [string, unknown][] = []
  let bytes = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  await readServerSentEvents(
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

test('a stream cut at any byte, inside a character or a line end too, tells the same events', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const joined = ['retry: 2000', 'event: joined', 'data: {}', '']
    const order = ['event: order', 'data: {"shop":', 'data: "城西店"}', '']
    const whole = bytesOf([...joined, ': beat', '', ...order, ''].join(end))
    for (let cut = 0; cut <= whole.length; cut++) {
      const { events } = await readBytes(whole.slice(0, cut), whole.slice(cut), bytesOf(`: beat${end}`))
      expect(events, `${JSON.stringify(end)} cut at ${cut}`).toEqual([
        ['joined', {}],
        ['order', { shop: '城西店' }],
      ])
    }
  }
})

test('an event that the end of the stream cuts off is none', async () => {
  expect((await read('event: order\ndata: 1\n')).events).toEqual([])
})

test('comments are a sign of life and no event; what is not JSON is dropped', async () => {
  const { events, bytes } = await read(': ping\n\n', 'event: x\ndata: {broken\n\n')
  expect(events).toEqual([])
  expect(bytes).toBe(2)
})
