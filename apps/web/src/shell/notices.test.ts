import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stopLiveStream } from '#kit/web/live/live.ts'
import { tokenStorage } from '#kit/web/http/tokens.ts'
import { followUnread } from './notices.ts'

let sendLiveText: (text: string) => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  freshBrowser()
  tokenStorage.set('access-1', 'refresh-1')
  const encoder = new TextEncoder()
  vi.stubGlobal('fetch', async () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      void (sendLiveText = (text) => controller.enqueue(encoder.encode(text)))
    return new Response(new ReadableStream<Uint8Array>({ start }))
  })
})
afterEach(async () => {
  stopLiveStream()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Advances the fake clock in small steps, with real time between them for reading from a body. */
async function pass(ms: number) {
  for (let past = 0; past < ms; past += 50) {
    await vi.advanceTimersByTimeAsync(50)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a rush of events fetches the unread events again now and then, and notices not at all', async () => {
  const fetched: string[] = []
  const stop = followUnread({
    invalidateQueries: async (filters) => void fetched.push(String(filters?.queryKey?.at(-1))),
  })
  await pass(50)
  for (let n = 0; n < 20; n++) sendLiveText('event: event.changed\ndata: {}\n\n')
  await pass(1_000)
  expect(fetched).toEqual(['events'])
  for (let n = 0; n < 40; n++) {
    sendLiveText('event: event.changed\ndata: {}\n\n')
    await pass(200)
  }
  await pass(6_000)
  expect(fetched.length).toBeGreaterThanOrEqual(3)
  expect(fetched.length).toBeLessThanOrEqual(4)
  expect(fetched).not.toContain('notices')
  fetched.length = 0
  sendLiveText('event: notice.published\ndata: {"title":"x"}\n\n')
  await pass(6_000)
  expect(fetched).toEqual(['notices'])
  stop()
})

test('after a gap each source is fetched again once, and who has left fetches nothing', async () => {
  const fetched: string[] = []
  const stop = followUnread({
    invalidateQueries: async (filters) => void fetched.push(String(filters?.queryKey?.at(-1))),
  })
  await pass(50)
  sendLiveText('event: missed\ndata: {}\n\n')
  await pass(1_000)
  expect(fetched.toSorted()).toEqual(['events', 'notices'])
  sendLiveText('event: event.changed\ndata: {}\n\n')
  await pass(50)
  stop()
  await pass(10_000)
  expect(fetched).toHaveLength(2)
})
