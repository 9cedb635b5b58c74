/**
 * What comes of `work`, or after `ms` milliseconds the error that `late` makes: by this process's own reckoning, for
 * one that was held up itself reads first what has come meanwhile. The work goes on, and nobody hears of its failure.
 */
export const withTimeout = <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = () => reject(late())
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
