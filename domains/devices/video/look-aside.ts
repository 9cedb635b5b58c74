import { Worker } from 'node:worker_threads'

/** What can be seen in a picture; undefined where it cannot be read, or not in time. */
type Look = number[] | undefined

const MEGABYTES_MAX = 64
/** Far more than the largest picture takes that a camera makes. */
const LOOK_MS = 5_000

type Thread = { worker: Worker; answer: (look: Look) => void }
let thread: Thread | undefined
let before: Promise<unknown> = Promise.resolve()

function start(): Thread {
  const worker = new Worker(new URL('picture-look.worker.ts', import.meta.url), {
    name: 'picture-look',
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
  })
  const made: Thread = { worker, answer: () => {} }
  const end = () => {
    if (thread === made) thread = undefined
    made.answer(undefined)
  }
  worker.on('message', (look: Look) => made.answer(look))
  worker.on('error', end).on('exit', end)
  // Nobody waits for it when the process ends.
  worker.unref()
  return made
}

async function ask(bytes: Uint8Array, timeoutMs: number): Promise<Look> {
  const asked = (thread ??= start())
  const { promise, resolve } = Promise.withResolvers<Look>()
  asked.answer = resolve
  const timer = setTimeout(() => void asked.worker.terminate(), timeoutMs)
  asked.worker.postMessage(bytes)
  return promise.finally(() => clearTimeout(timer))
}

/** Looks at a picture in a thread beside whoever is answered meanwhile, one picture after the other. */
export function analyzeImageInWorker(bytes: Uint8Array, timeoutMs = LOOK_MS): Promise<Look> {
  const look = before.then(() => ask(bytes, timeoutMs))
  before = look
  return look
}
