import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordServerBuild, useNewServerBuild } from './build.ts'
import { ChunkLoadError, loadChunk } from './chunks.ts'
import { apiGet } from './http.ts'
import { waitForServer, onConnectivityChange, watchConnectivity } from './connectivity.ts'
import { setToastHandler } from '../base/toast.ts'

let isAway = false
let build = 'one'
let looks = 0
let status = 200
const reload = vi.fn<() => void>()
const states: string[] = []
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  freshBrowser()
  setToastHandler(() => {})
  Object.assign(globalThis.location, { reload })
  Object.assign(document, { querySelector: () => ({ content: 'one' }) })
  reload.mockClear()
  ;[isAway, build, looks, status] = [false, 'one', 0, 200]
  states.length = 0
  stop = onConnectivityChange((line) => void states.push(line))
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/version.json') looks += 1
    if (isAway) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ version: build }), { status })
  })
})
afterEach(async () => {
  isAway = false
  status = 200
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  useNewServerBuild.setState({ build: undefined })
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const missing = () => new TypeError('Failed to fetch dynamically imported module: /assets/a.js')

describe('the line', () => {
  test('is not called lost because one call got no answer while the server does answer', async () => {
    let first = true
    vi.stubGlobal('fetch', async () => {
      if (!first) return new Response('{}')
      first = false
      throw new TypeError('Failed to fetch')
    })
    await apiGet('/api/x').catch(() => {})
    await vi.advanceTimersByTimeAsync(5000)
    expect(states).toEqual([])
  })

  test('is lost while a look at the server fails, looked at ever less often, and back once by itself', async () => {
    isAway = true
    await apiGet('/api/x').catch(() => {})
    await vi.advanceTimersByTimeAsync(120_000)
    expect(states).toEqual(['lost'])
    expect(looks).toBeGreaterThan(5)
    expect(looks).toBeLessThan(20)
    isAway = false
    await vi.advanceTimersByTimeAsync(20_000)
    expect(states).toEqual(['lost', 'up'])
  })

  test('is lost also when the browser says that the network goes while a look still gets through', async () => {
    const listeners = new Map<string, () => void>()
    vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listeners.set(type, listener))
    watchConnectivity()
    listeners.get('offline')!()
    await vi.advanceTimersByTimeAsync(500)
    isAway = true
    await vi.advanceTimersByTimeAsync(2000)
    expect(states).toEqual(['lost'])
  })

  test('is lost too while a gateway answers for a server that is away, and twenty who ask share one look', async () => {
    status = 502
    const waits = Array.from({ length: 20 }, () => waitForServer())
    await vi.advanceTimersByTimeAsync(100)
    expect([looks, states]).toEqual([1, ['lost']])
    status = 200
    await vi.advanceTimersByTimeAsync(5000)
    await Promise.all(waits)
    expect(states).toEqual(['lost', 'up'])
  })
})

describe('a part that does not load', () => {
  test(
    'waits for the line and comes when it is back; nobody has to press ' + 'anything, and nothing is reloaded',
    async () => {
      isAway = true
      const load = vi.fn<() => Promise<string>>(async () => {
        if (isAway) throw missing()
        return 'page'
      })
      const part = loadChunk(load)
      await vi.advanceTimersByTimeAsync(180_000)
      expect(load).toHaveBeenCalledTimes(1)
      isAway = false
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await part).toBe('page')
      expect(reload).not.toHaveBeenCalled()
    },
  )

  test('that a new build took away reloads the page, once for a build', async () => {
    build = 'two'
    void loadChunk(() => Promise.reject(missing()))
    await vi.advanceTimersByTimeAsync(100)
    expect(reload).toHaveBeenCalledTimes(1)
    const again = loadChunk(() => Promise.reject(missing())).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(100)
    expect(await again).toBeInstanceOf(ChunkLoadError)
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('though the server answers and has no other build is said, not tried for ever', async () => {
    const load = vi.fn<() => Promise<never>>(() => Promise.reject(missing()))
    await expect(loadChunk(load)).rejects.toMatchObject({ code: 'ChunkLoadError' })
    expect(load).toHaveBeenCalledTimes(3)
    expect(reload).not.toHaveBeenCalled()
  })

  test('in time is a ChunkLoadError', async () => {
    const late = loadChunk(() => new Promise(() => {}), 5).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(5)
    expect(await late).toMatchObject({ code: 'ChunkLoadError' })
  })

  test('for want of its style fetches the style itself before it is tried again', async () => {
    const links: string[] = []
    Object.assign(document, {
      createElement: () => ({}),
      head: {
        append: (link: { href: string; onload: () => void }) => {
          links.push(link.href)
          link.onload()
        },
      },
    })
    const load = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('Unable to preload CSS for /assets/a.css')))
    await expect(loadChunk(load)).rejects.toMatchObject({ code: 'CSS_CHUNK_LOAD_FAILED' })
    expect(links).toEqual(['/assets/a.css', '/assets/a.css'])
  })

  test('because it is broken itself says what it says, and is not fetched again', async () => {
    const load = vi.fn<() => Promise<never>>(() => Promise.reject(new RangeError('x')))
    await expect(loadChunk(load)).rejects.not.toBeInstanceOf(ChunkLoadError)
    expect(load).toHaveBeenCalledTimes(1)
  })
})

test('a build is another one only when it has another name; a page under development has none', () => {
  recordServerBuild('{"version":"one"}')
  expect(useNewServerBuild.getState().build).toBeUndefined()
  recordServerBuild('{"version":"two"}')
  expect(useNewServerBuild.getState().build).toBe('two')
  recordServerBuild('<!doctype html>')
  expect(useNewServerBuild.getState().build).toBe('two')
})
