import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onLiveEvent, stopLiveStream } from './live.ts'
import { useSession } from '../session/session.ts'
import { tokenStorage } from '../http/tokens.ts'

type Line = { say: (text: string) => void; end: () => void }
let lines: Line[] = []
let isAway = false
let refusal: unknown

function stream() {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      void lines.push({ say: (text) => controller.enqueue(encoder.encode(text)), end: () => controller.close() }),
  })
  return new Response(body)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  freshBrowser()
  ;[lines, isAway, refusal] = [[], false, undefined]
  tokenStorage.set('access-1', 'refresh-1')
  useSession.setState({ token: 'access-1', ended: undefined })
  vi.stubGlobal('fetch', async (url: string) => {
    if (isAway) throw new TypeError('Failed to fetch')
    if (url === '/version.json') return new Response('{}')
    return refusal ? new Response(JSON.stringify(refusal), { status: 401 }) : stream()
  })
})
afterEach(async () => {
  isAway = false
  stopLiveStream()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Advances the fake clock in small steps, with real time between them for reading from a body. */
async function within(ms: number, condition: () => boolean) {
  for (let past = 0; past < ms && !condition(); past += 100) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('who listens', () => {
  test('and fails says so, while the others hear all the same and the line stays', async () => {
    const [reported, received] = [vi.fn<(error: unknown) => void>(), vi.fn<(data: unknown) => void>()]
    vi.stubGlobal('reportError', reported)
    const failure = new TypeError('x is undefined')
    const fail = () => {
      throw failure
    }
    const stops = [
      onLiveEvent({ name: 'order.changed' }, fail, fail),
      onLiveEvent({ name: 'order.changed' }, received, () => received('again')),
    ]
    await vi.advanceTimersByTimeAsync(10)
    lines[0]!.say('event: order.changed\ndata: {"id":1}\n\n')
    await within(1000, () => received.mock.calls.length === 1)
    lines[0]!.say('event: missed\ndata: {}\n\n')
    await within(1000, () => received.mock.calls.length === 2)
    expect(received.mock.calls).toEqual([[{ id: 1 }], ['again']])
    expect(reported.mock.calls).toEqual([[failure], [failure]])
    expect(lines).toHaveLength(1)
    for (const stop of stops) stop()
  })

  test(
    'hears what happens, and is told to look again when the server itself ' + 'was cut off from it for a while',
    async () => {
      const [received, resumed] = [vi.fn<(data: unknown) => void>(), vi.fn<() => void>()]
      const stop = onLiveEvent({ name: 'order.changed' }, received, resumed)
      await vi.advanceTimersByTimeAsync(10)
      lines[0]!.say('event: order.changed\ndata: {"id":1}\n\n')
      await vi.advanceTimersByTimeAsync(10)
      expect(received).toHaveBeenCalledWith({ id: 1 })
      expect(resumed).not.toHaveBeenCalled()
      lines[0]!.say('event: missed\ndata: {}\n\n')
      await vi.advanceTimersByTimeAsync(10)
      expect(resumed).toHaveBeenCalledTimes(1)
      stop()
    },
  )

  test(
    'is told to look again when the first line came late, and when a lost one is ' +
      'back, without waiting out the pause',
    async () => {
      isAway = true
      const resumed = vi.fn<() => void>()
      const stop = onLiveEvent({ name: 'order.changed' }, () => {}, resumed)
      await vi.advanceTimersByTimeAsync(90_000)
      expect(lines).toHaveLength(0)
      isAway = false
      await within(20_000, () => resumed.mock.calls.length === 1)
      expect([lines.length, resumed.mock.calls.length]).toEqual([1, 1])
      lines[0]!.end()
      await within(5000, () => resumed.mock.calls.length === 2)
      expect([lines.length, resumed.mock.calls.length]).toEqual([2, 2])
      stop()
    },
  )

  test('whose session has ended is out at once, and knows why', async () => {
    refusal = { code: 401, data: { ended: 'administrator' } }
    const stop = onLiveEvent({ name: 'order.changed' }, () => {})
    await vi.advanceTimersByTimeAsync(10)
    expect([tokenStorage.access(), useSession.getState().ended]).toEqual(['', 'administrator'])
    stop()
  })
})
