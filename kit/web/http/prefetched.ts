type PrefetchedCall = { answer: Promise<Response>; stop: AbortController; body?: unknown }
/** Calls that the page's inline script made before any module was loaded (apps/web/build/prefetch-script.ts). */
type PrefetchedCalls = { token: string; language: string; since: number; answers: Record<string, PrefetchedCall> }

/** Older answers may be out of date and are not used. */
const FRESH_MS = 30_000

type Question = RequestInit & { headers: Record<string, string>; signal: AbortSignal }

/**
 * `fetch` that first takes the answer of a call the page prefetched. Each answer is used once, since a repeated call
 * wants fresh data. Answers for another user or language are not used, and a failed prefetch is fetched again.
 */
export function fetchOrTakePrefetched(url: string, question: Question): Promise<Response> {
  const { signal } = question
  const early = consumePrefetched(url, question)
  if (!early) return fetch(url, question)
  signal.addEventListener('abort', () => early.stop.abort(signal.reason))
  return early.answer.catch((reason: unknown) => {
    if (signal.aborted) throw reason
    return fetch(url, question)
  })
}

/**
 * Returns the parsed body of a prefetched call with these headers, if it has arrived; the answer can still be taken.
 * Lets the first render show data at once.
 */
export function peekPrefetchedData(url: string, headers: Record<string, string>): unknown {
  const early = (globalThis as { prefetched?: PrefetchedCalls }).prefetched
  return early && isFor(early, headers) ? early.answers[url]?.body : undefined
}

/** Returns whether the calls were prefetched recently, by the same user and in the same language. */
const isFor = ({ token, language, since }: PrefetchedCalls, headers: Record<string, string>) =>
  headers['Blade-Auth'] === `bearer ${token}` &&
  headers['Accept-Language'] === language &&
  performance.now() - since < FRESH_MS

function consumePrefetched(url: string, { method = 'GET', headers }: Question): PrefetchedCall | undefined {
  const early = (globalThis as { prefetched?: PrefetchedCalls }).prefetched
  const call = method === 'GET' ? early?.answers[url] : undefined
  if (!early || !call) return undefined
  delete early.answers[url]
  if (isFor(early, headers)) return call
  call.stop.abort()
  return undefined
}
