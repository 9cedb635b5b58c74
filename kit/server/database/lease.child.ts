import { holdLease } from './lease.ts'

/** Says when it works; a test kills it then. */
const [, , databaseUrl = '', name = '', everyMs, patienceMs] = process.argv
holdLease(databaseUrl, name, {
  everyMs: Number(everyMs),
  patienceMs: Number(patienceMs),
  gained: async () => {
    process.stdout.write('gained\n')
    return async () => {}
  },
})
