import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import type { Topic } from '../../resource/topic.ts'
import { fetchOrTakePrefetched } from '../http/prefetched.ts'
import { sessionEndReasonOf, ApiError, requestHeaders, httpSessionHooks } from '../http/http.ts'
import { waitForServer, onConnectivityChange } from '../http/connectivity.ts'
import { readServerSentEvents } from './live-stream.ts'
import { tokenStorage } from '../http/tokens.ts'

/** `idle`: no listeners. `lost`: disconnected although there are listeners. */
type LiveState = 'idle' | 'connecting' | 'open' | 'lost'

type Listener = { event: (data: unknown) => void; resume?: () => void }

const listeners = new Map<string, Set<Listener>>()
const useLiveStore = create<{ state: LiveState }>()(() => ({ state: 'idle' }))
// Milliseconds without data after which the connection counts as dead; servers send a comment at least every 20 s.
const SILENCE = 50_000
const MISSED = 'missed'
let running: AbortController | undefined

const wanted = () => [...listeners.values()].some((set) => set.size > 0)
const show = (state: LiveState) => useLiveStore.setState({ state })

function pause(ms: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, ms)
    const stop = onConnectivityChange((line) => line === 'up' && finish())
    signal.addEventListener('abort', finish)
  })
}

async function endIn(response: Response) {
  const body = (await response.json().catch(() => ({}))) as { data?: unknown }
  return sessionEndReasonOf(new ApiError(response.status, '', body.data))
}

/** Calls a listener. An error in it is reported and affects neither other listeners nor the connection. */
function callListener(listener: () => void) {
  try {
    listener()
  } catch (error) {
    reportError(error)
  }
}

/** Tells all listeners to refetch, because events were missed. */
function refetchAll() {
  for (const set of listeners.values()) for (const { resume } of set) if (resume) callListener(resume)
}

async function connect(signal: AbortSignal, opened: () => void) {
  const dead = new AbortController()
  let timer = setTimeout(() => dead.abort(), SILENCE)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => dead.abort(), SILENCE)
  }
  try {
    const token = tokenStorage.access()
    const headers = { ...requestHeaders(), Accept: 'text/event-stream' }
    const ends = AbortSignal.any([signal, dead.signal])
    const response = await fetchOrTakePrefetched('/api/live', { headers, signal: ends })
    if (response.status === 401 && token === tokenStorage.access()) httpSessionHooks.expired(await endIn(response))
    if (!response.ok || !response.body) throw new Error(`live: ${response.status}`)
    opened()
    await readServerSentEvents(response.body, alive, (topic, data) => {
      // The server itself missed events for a while.
      if (topic === MISSED) refetchAll()
      for (const { event } of listeners.get(topic) ?? []) callListener(() => event(data))
    })
  } finally {
    clearTimeout(timer)
  }
}

async function run(signal: AbortSignal) {
  let tries = 0
  let before = false
  while (!signal.aborted) {
    // Pages fetched their data while disconnected, so events in between were missed.
    let late = before || tries > 0
    if (tokenStorage.access()) {
      if (!before && tries === 0) show('connecting')
      await connect(signal, () => {
        tries = 0
        show('open')
        if (late) refetchAll()
        late = false
        before = true
      }).catch(() => {
        if (!signal.aborted) void waitForServer()
      })
    }
    if (signal.aborted) break
    // Reconnects once before it shows `lost`, so that a server restart goes unnoticed.
    if (tries > 0) show('lost')
    await pause(Math.min(30_000, 500 * 2 ** tries) * (0.75 + Math.random() / 2), signal)
    tries += 1
  }
}

function start() {
  if (running || !wanted()) return
  running = new AbortController()
  void run(running.signal)
}

/** Closes the live connection; the next listener opens it again. */
export function stopLiveStream() {
  running?.abort()
  running = undefined
  show('idle')
}

/**
 * Listens to a topic outside components; `resume` is called after missed events. The data is empty where all of it was
 * too long to send. Returns a function to stop.
 */
export function onLiveEvent<Data>({ name }: Topic<Data>, event: (data: Partial<Data>) => void, resume?: () => void) {
  const listener: Listener = { event: event as (data: unknown) => void, resume }
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set.add(listener))
  start()
  return () => {
    set.delete(listener)
    // Closes later, so that changing from one page to the next does not reconnect.
    setTimeout(() => wanted() || stopLiveStream(), 2000)
  }
}

/**
 * Calls `event` for every event of a topic while the component is on screen. `resume` is called when a lost connection
 * is back: events were missed, so fetch again. Without a topic it does nothing.
 */
export function useLiveEvents<Data>(
  topic: Topic<Data> | undefined,
  event: (data: Partial<Data>) => void,
  resume?: () => void,
) {
  const name = topic?.name
  const latest = useRef({ event, resume })
  useEffect(() => {
    latest.current = { event, resume }
  })
  useEffect(
    () =>
      name === undefined
        ? undefined
        : onLiveEvent(
            { name },
            (data: Partial<Data>) => latest.current.event(data),
            () => latest.current.resume?.(),
          ),
    [name],
  )
}

/** Calls `again` for every event of a topic, and when a lost connection is back. */
export const useLiveRefetch = <Data>(topic: Topic<Data> | undefined, again: () => unknown) =>
  useLiveEvents(
    topic,
    () => void again(),
    () => void again(),
  )

/** Calls `resume` when a lost connection is back: whatever was fetched before may be out of date. */
export const useLiveResume = (resume: () => void) => useLiveEvents({ name: MISSED }, () => {}, resume)

/** Returns the state of this tab's live connection. */
export const useLiveStreamState = () => useLiveStore((store) => store.state)
