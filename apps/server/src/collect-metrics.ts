import type { ProcessMeasurements } from '#kit/server/meters/index.ts'

/** A worker's messages to the first process: a request for the measurements of all processes, or its own ones. */
export type MessageFromMetricsReporter =
  | { kind: 'gather'; id: number }
  | { kind: 'measured'; of: number; measures: ProcessMeasurements | undefined }
export type MessageToMetricsReporter =
  | { kind: 'measure'; of: number }
  | { kind: 'gathered'; id: number; all: ProcessMeasurements[] }

/** A process that takes longer is left out: the numbers of the others are worth more than a complete set too late. */
const TIMEOUT_MS = 2000

/** Sends a request under an id and resolves with its answer, or with `otherwise()` after two seconds. */
function createScatterGather<T>() {
  const open = new Map<number, (answer: T) => void>()
  let last = 0
  return {
    ask: (send: (id: number) => void, otherwise: () => T): Promise<T> =>
      new Promise((resolve) => {
        const id = ++last
        const finish = (answer: T) => {
          clearTimeout(late)
          open.delete(id)
          resolve(answer)
        }
        const late = setTimeout(() => finish(otherwise()), TIMEOUT_MS)
        open.set(id, finish)
        send(id)
      }),
    settle: (id: number, answer: T): void => open.get(id)?.(answer),
  }
}

/** The worker's side: answers requests for its own measurements and asks the first process for those of all. */
export function createMetricsReporter(send: (message: MessageFromMetricsReporter) => void) {
  const questions = createScatterGather<ProcessMeasurements[]>()
  let mine: (() => Promise<ProcessMeasurements>) | undefined
  return {
    /** Returns the measurements of all processes; empty when the first process does not answer. */
    gather: (): Promise<ProcessMeasurements[]> =>
      questions.ask(
        (id) => send({ kind: 'gather', id }),
        () => [],
      ),
    measures: (measure: () => Promise<ProcessMeasurements>): void => void (mine = measure),
    take: (message: MessageToMetricsReporter): void => {
      if (message.kind === 'gathered') return questions.settle(message.id, message.all)
      const answer = (measures?: ProcessMeasurements) => send({ kind: 'measured', of: message.of, measures })
      if (mine) mine().then(answer, () => answer())
      else answer()
    },
  }
}

/** The first process's side: asks every serving worker for its measurements and adds its own. */
export function createMetricsCollector(
  send: (to: number, message: MessageToMetricsReporter) => void,
  serving: () => readonly number[],
) {
  type Part = { missing: Set<number>; found: ProcessMeasurements[] }
  const questions = createScatterGather<ProcessMeasurements[]>()
  const parts = new Map<number, Part>()
  let own: () => Promise<ProcessMeasurements[]> = async () => []
  const note = (of: number, { missing, found }: Part) => {
    if (!missing.size) questions.settle(of, found)
  }
  const gather = async (): Promise<ProcessMeasurements[]> => {
    const part: Part = { missing: new Set(serving()), found: [] }
    let requestId = 0
    const ask = (of: number) => {
      requestId = of
      parts.set(of, part)
      for (const at of part.missing) send(at, { kind: 'measure', of })
      note(of, part)
    }
    const [first, others] = await Promise.all([own(), questions.ask(ask, () => part.found)])
    parts.delete(requestId)
    return [...first, ...others].sort((a, b) => a.pid - b.pid)
  }
  return {
    gather,
    owns: (measure: () => Promise<ProcessMeasurements[]>): void => void (own = measure),
    take: (from: number, message: MessageFromMetricsReporter): void => {
      if (message.kind === 'gather') {
        void gather().then((all) => send(from, { kind: 'gathered', id: message.id, all }))
        return
      }
      const part = parts.get(message.of)
      if (!part?.missing.delete(from)) return
      if (message.measures) part.found.push(message.measures)
      note(message.of, part)
    },
    /** Stops waiting for the answer of a process that has ended. */
    leave: (who: number): void => {
      for (const [of, part] of parts) if (part.missing.delete(who)) note(of, part)
    },
  }
}
