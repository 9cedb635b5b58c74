import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

/** CPU seconds of a test file: of the worker, of programs it started, and of the database for it. */
export type FileTimes = { worker: number; programs: number; database: number }

/** Seconds the database worked for this process's tests; `testDatabase` adds to it when one is dropped. */
export const databaseTimes = { seconds: 0 }

/** Ticks per CPU second in /proc, on every Linux. */
const TICKS = 100
const USER_OF_CHILDREN = 13

/** Returns the CPU seconds of this process's ended children; 0 where the system does not tell. */
export function programSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(USER_OF_CHILDREN)
    return (Number(user) + Number(system)) / TICKS
  } catch {
    return 0
  }
}

function now(): FileTimes {
  const { user, system } = process.cpuUsage()
  return { worker: (user + system) / 1e6, programs: programSeconds(), database: databaseTimes.seconds }
}

const here = globalThis as { timesUntilLastFile?: FileTimes }

/** Reports the file's times, its modules and hooks included, to the reporter of `npm test -- --times`. */
export function reportTestTimes(): void {
  // oxlint-disable-next-line no-empty-pattern -- Vitest hands no hook what it does not take apart
  afterAll(({}, suite) => {
    const [before, after] = [here.timesUntilLastFile ?? { worker: 0, programs: 0, database: 0 }, now()]
    here.timesUntilLastFile = after
    suite.file.meta.times = {
      worker: after.worker - before.worker,
      programs: after.programs - before.programs,
      database: after.database - before.database,
    }
  })
}
