import type { QueryParams } from './http.ts'

type Answer = (path: string, params: QueryParams) => unknown
const answers = new Set<Answer>()

/**
 * A page answers some questions itself instead of the server, as long as it is open: what is shown there is not there
 * yet. `undefined` leaves a question to the server. Answers what takes it back.
 */
export function addLocalResponder(answer: Answer): () => void {
  answers.add(answer)
  return () => void answers.delete(answer)
}

/** What a page answers to a question; throws what it refuses with. */
export function findLocalResponse(path: string, params: QueryParams = {}): unknown {
  for (const answer of answers) {
    const said = answer(path, params)
    if (said !== undefined) return said
  }
  return undefined
}
