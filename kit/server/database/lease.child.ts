import { holdLease } from './lease.ts'

/** Says when it works; a test kills it then. */
const [, , databaseUrl = '', name = ''] = process.argv
holdLease(databaseUrl, name, {
  gained: async () => {
    process.stdout.write('gained\n')
    return async () => {}
  },
})
