import { create } from 'zustand'
import { recordServerBuild } from './build.ts'

/**
 * Whether the server answers: `lost` from the first failed check until one succeeds. A single failed call does not set
 * it.
 */
type Connectivity = 'up' | 'lost'

const FIRST_MS = 1000
const LONGEST_MS = 15_000
const TIMEOUT_MS = 8000

const useLineStore = create<{ state: Connectivity }>()(() => ({ state: 'up' }))
let probing: Promise<void> | undefined
let hurry = () => {}

/**
 * Checks whether the server answers, with the smallest file. An error of a gateway in front of it (5xx) counts as no
 * answer.
 */
async function answers() {
  const text = await fetch('/version.json', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => (response.status < 500 ? response.text() : undefined))
    .catch(() => undefined)
  if (text === undefined) return false
  recordServerBuild(text)
  return true
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    hurry = () => {
      clearTimeout(timer)
      resolve()
    }
  })

async function probeUntilUp() {
  for (let tries = 0; !(await answers()); tries += 1) {
    useLineStore.setState({ state: 'lost' })
    // Random factor, so that the browsers of a shop do not all check at the same moment.
    await pause(Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * (0.75 + Math.random() / 2))
  }
  useLineStore.setState({ state: 'up' })
}

/**
 * Resolves once the server answers, at once if it does now. Call it after a request without an answer: it starts the
 * checks.
 */
export function waitForServer(): Promise<void> {
  probing ??= probeUntilUp().finally(() => {
    probing = undefined
  })
  return probing
}

/** Checks the server now instead of after the current pause. */
export const probeServerNow = () => hurry()

/** Calls the listener when the connection is lost and when it is back; returns a function to stop. */
export const onConnectivityChange = (listener: (line: Connectivity) => void) =>
  useLineStore.subscribe(({ state }, before) => {
    if (state !== before.state) listener(state)
  })

export const useConnectivity = () => useLineStore((store) => store.state)

/**
 * Checks the server when the browser reports a network change or the page is shown again. Returns a function to stop.
 */
export function watchConnectivity() {
  const seen = () => {
    if (!document.hidden) probeServerNow()
  }
  // Checks twice, because the first check may still succeed while the network goes down.
  const lost = () =>
    void waitForServer()
      .then(() => pause(FIRST_MS))
      .then(waitForServer)
  addEventListener('online', probeServerNow)
  addEventListener('offline', lost)
  document.addEventListener('visibilitychange', seen)
  return () => {
    removeEventListener('online', probeServerNow)
    removeEventListener('offline', lost)
    document.removeEventListener('visibilitychange', seen)
  }
}
