import { create } from 'zustand'
import { recordServerBuild } from './build.ts'

/**
 * Whether the server answers. `lost` once a look at it has failed, until one succeeds: a single call that got no answer
 * alarms nobody.
 */
type Connectivity = 'up' | 'lost'

const FIRST_MS = 1000
const LONGEST_MS = 15_000
const PATIENCE_MS = 8000

const useLineStore = create<{ state: Connectivity }>()(() => ({ state: 'up' }))
let looking: Promise<void> | undefined
let hurry = () => {}

/** A look at the smallest file there is. A gateway that answers for a server that is away is no answer. */
async function answers() {
  const text = await fetch('/version.json', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
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

async function look() {
  for (let tries = 0; !(await answers()); tries += 1) {
    useLineStore.setState({ state: 'lost' })
    // Not all browsers of a house in the same moment.
    await pause(Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * (0.75 + Math.random() / 2))
  }
  useLineStore.setState({ state: 'up' })
}

/**
 * Resolves once the server answers, at once if it does now. To be called by whatever got no answer: from then on
 * somebody looks.
 */
export function waitForServer(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

/** Looks now instead of in some seconds. */
export const probeServerNow = () => hurry()

/** Calls back when the line is lost and when it is back; answers how to stop. */
export const onConnectivityChange = (listener: (line: Connectivity) => void) =>
  useLineStore.subscribe(({ state }, before) => {
    if (state !== before.state) listener(state)
  })

export const useConnectivity = () => useLineStore((store) => store.state)

/** Follows what the browser knows of its network. Answers how to stop. */
export function watchConnectivity() {
  const seen = () => {
    if (!document.hidden) probeServerNow()
  }
  // A look that still got through while the network went is not the last word.
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
