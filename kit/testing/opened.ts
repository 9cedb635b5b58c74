import { withTimeout } from '#kit/server/in-time.ts'

type Opened = { name: string; end: () => unknown }

const END_MS = 30_000

/**
 * What a test file opens, for its `afterAll(opened.end)`: ended in the opposite order, each though another fails or
 * never answers, and however much of it there was when `beforeAll` failed. What only comes when all has been ended is
 * ended at once, and whoever opened it goes no further.
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
