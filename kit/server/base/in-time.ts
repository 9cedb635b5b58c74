/**
 * Returns the result of `work`, or throws the error from `late` after `ms` milliseconds. The work itself continues and
 * its later failure is ignored. Waits two more event-loop turns at the end, so that a blocked process first reads
 * results that arrived meanwhile.
 */
export const withTimeout = <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = () => reject(late())
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
