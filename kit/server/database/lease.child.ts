import { holdLease } from './lease.ts'

/** Says when it works; a test kills it then. */
const [, , databaseUrl = '', name = '', intervalMs, timeoutMs] = process.argv
holdLease(databaseUrl, name, {
  intervalMs: Number(intervalMs),
  timeoutMs: Number(timeoutMs),
  gained: async () => {
    process.stdout.write('gained\n')
    return async () => {}
  },
})
