import { Worker } from 'node:worker_threads'

/** Mean greys of a picture; undefined when it cannot be read, or not in time. */
type MeanGreys = number[] | undefined

const MEGABYTES_MAX = 64
/** Far longer than the largest picture of a camera takes. */
const LOOK_MS = 5_000

type Thread = { worker: Worker; answer: (look: MeanGreys) => void }
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
  worker.on('message', (look: MeanGreys) => made.answer(look))
  worker.on('error', end).on('exit', end)
  // The thread must not keep the process alive.
  worker.unref()
  return made
}

async function analyzeInThread(bytes: Uint8Array, timeoutMs: number): Promise<MeanGreys> {
  const current = (thread ??= start())
  const { promise, resolve } = Promise.withResolvers<MeanGreys>()
  current.answer = resolve
  const timer = setTimeout(() => void current.worker.terminate(), timeoutMs)
  current.worker.postMessage(bytes)
  return promise.finally(() => clearTimeout(timer))
}

/** Computes a picture's mean greys in a worker thread, one picture at a time. */
export function analyzeImageInWorker(bytes: Uint8Array, timeoutMs = LOOK_MS): Promise<MeanGreys> {
  const look = before.then(() => analyzeInThread(bytes, timeoutMs))
  before = look
  return look
}
