import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchOrTakePrefetched, peekPrefetchedData } from './prefetched.ts'

const URL = '/api/shop/list?current=1&size=10'
const answered = (text: string) => Promise.resolve(new Response(text))
const fetched = vi.fn<(url: string) => Promise<Response>>()
let now = 0

beforeEach(() => {
  now = 0
  vi.stubGlobal(
    'fetch',
    fetched.mockReset().mockImplementation(() => answered('asked anew')),
  )
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Simulates that the page prefetched a call at its start, as user lin and in Chinese. */
function early(answer = answered('asked early')) {
  const stop = new AbortController()
  answer.catch(() => {})
  vi.stubGlobal('prefetched', { token: 'lin', language: 'zh-CN', since: 0, answers: { [URL]: { answer, stop } } })
  return stop
}

const request = async ({
  token = 'lin',
  language = 'zh-CN',
  method = 'GET',
  signal = new AbortController().signal,
} = {}) => {
  const headers = { 'Blade-Auth': `bearer ${token}`, 'Accept-Language': language }
  return (await fetchOrTakePrefetched(URL, { method, headers, signal })).text()
}

test('what the page asked is taken once; whoever asks again asks the server', async () => {
  early()
  expect(await request()).toBe('asked early')
  expect(fetched).not.toHaveBeenCalled()
  expect(await request()).toBe('asked anew')
})

test.each([
  ['somebody else asked', { token: 'wu' }],
  ['it was asked in another language', { language: 'en' }],
])('an answer is not taken and comes to nobody where %s', async (_why, who) => {
  const stop = early()
  expect(await request(who)).toBe('asked anew')
  expect(stop.signal.aborted).toBe(true)
  expect(await request()).toBe('asked anew')
})

test('an answer of half a minute ago is not taken for news', async () => {
  early()
  now = 30_000
  expect(await request()).toBe('asked anew')
})

test('an answer that is here is shown at once, to who asked and for half a minute, and can be taken', async () => {
  early()
  const { prefetched } = globalThis as unknown as { prefetched: { answers: Record<string, { body?: unknown }> } }
  const lin = { 'Blade-Auth': 'bearer lin', 'Accept-Language': 'zh-CN' }
  expect(peekPrefetchedData(URL, lin)).toBeUndefined()
  prefetched.answers[URL]!.body = { code: 200, data: 'rows' }
  expect(peekPrefetchedData(URL, lin)).toEqual({ code: 200, data: 'rows' })
  expect(peekPrefetchedData(URL, { ...lin, 'Blade-Auth': 'bearer wu' })).toBeUndefined()
  expect(peekPrefetchedData(URL, { ...lin, 'Accept-Language': 'en' })).toBeUndefined()
  expect(peekPrefetchedData('/api/other', lin)).toBeUndefined()
  expect(await request()).toBe('asked early')
  early()
  now = 30_000
  expect(peekPrefetchedData(URL, lin)).toBeUndefined()
})

test('what is sent never takes an answer to a question', async () => {
  early()
  expect(await request({ method: 'POST' })).toBe('asked anew')
})

test('what got no answer is asked anew, unless nobody waits for it any more', async () => {
  early(Promise.reject(new TypeError('cut off')))
  expect(await request()).toBe('asked anew')
  const stop = early(new Promise((_resolve, reject) => setImmediate(() => reject(new Error('given up')))))
  const waiting = new AbortController()
  const answer = request({ signal: waiting.signal })
  waiting.abort()
  await expect(answer).rejects.toThrow('given up')
  expect(stop.signal.aborted).toBe(true)
  expect(fetched).toHaveBeenCalledTimes(1)
})
