import { withTimeout } from '#kit/server/base/in-time.ts'

type Opened = { name: string; end: () => unknown }

const END_MS = 30_000

/**
 * Keeps what a test file opens, for `afterAll(opened.end)`. Closes it in reverse order, each even if others fail or
 * hang, and also when `beforeAll` failed half-way. What is opened after `end` is closed at once, and its opener gets an
 * error.
 */
export function createOpened(endMs = END_MS) {
  const all: Opened[] = []
  let isOver = false
  const endOne = ({ name, end }: Opened) =>
    withTimeout(Promise.resolve(end()), endMs, () => new Error(`${name} did not end in ${endMs / 1000} s`))
  return {
    keep: async <T>(name: string, opening: T | Promise<T>, end: (one: T) => unknown): Promise<T> => {
      const one = await opening
      const opened = { name, end: async () => end(one) }
      if (!isOver) {
        all.push(opened)
        return one
      }
      await endOne(opened)
      throw new Error(`${name} came when the test was over`)
    },
    end: async (): Promise<void> => {
      isOver = true
      const faults: unknown[] = []
      for (const one of all.splice(0).reverse()) await endOne(one).catch((error: unknown) => faults.push(error))
      if (faults.length) throw new AggregateError(faults, faults.map(String).join('\n'))
    },
  }
}
