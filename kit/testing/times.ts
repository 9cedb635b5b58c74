import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

/** What a file of tests cost, in seconds: of the worker, of programs it started, and of the database for it. */
export type FileTimes = { worker: number; programs: number; database: number }

/** Seconds the database has worked for tests of this process, told by `testDatabase` when one is dropped. */
export const databaseTimes = { seconds: 0 }

/** Ticks of a processor second in /proc: what every Linux says to programs. */
const TICKS = 100
const USER_OF_CHILDREN = 13

/** Processor seconds of programs this process started and saw end; none where the system does not say. */
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

/** Tells the reporter of `npm test -- --times` what the file cost, its modules and its hooks within. */
export function tellTimes(): void {
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
