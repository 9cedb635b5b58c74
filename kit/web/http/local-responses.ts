import type { QueryParams } from './query-params.ts'

type Answer = (path: string, params: QueryParams) => unknown
const answers = new Set<Answer>()

/**
 * Registers a function that answers API calls in the browser instead of the server while a page is open, for data the
 * server does not have yet. It returns undefined for calls that go to the server. Returns a function to unregister.
 */
export function addLocalResponder(answer: Answer): () => void {
  answers.add(answer)
  return () => void answers.delete(answer)
}

/** Returns a page's own answer to a call; undefined if the server is to be asked. Throws a refusal of the page. */
export function findLocalResponse(path: string, params: QueryParams = {}): unknown {
  for (const answer of answers) {
    const response = answer(path, params)
    if (response !== undefined) return response
  }
  return undefined
}
