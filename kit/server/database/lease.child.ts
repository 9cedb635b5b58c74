import { holdLease } from './lease.ts'

/** Holds a lease and prints when it gains it; a test then kills this process. */
const [, , databaseUrl = '', name = '', intervalMs, timeoutMs] = process.argv
holdLease(databaseUrl, name, {
  intervalMs: Number(intervalMs),
  timeoutMs: Number(timeoutMs),
  gained: async () => {
    process.stdout.write('gained\n')
    return async () => {}
  },
})
