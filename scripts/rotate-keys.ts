// npm run rotate-keys [-- --end-sessions]: tokens are signed with a new key from now on; with the option all sessions
// end.
import { readConfig } from '#apps/server/src/config.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { rotateKeys } from '#kit/server/security/index.ts'
import { createSharedStore } from '#kit/server/shared/index.ts'

const endSessions = process.argv.includes('--end-sessions')
const { databaseUrl, dataDir } = readConfig([], process.env)
const database = databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: console.log })
const pool = createOwnerPool(databaseUrl ?? database!.url)
const shared = createSharedStore(pool, { redisUrl: process.env.REDIS_URL || undefined })
const { verifying } = await rotateKeys(pool, { shared, endSessions })
console.log(
  endSessions
    ? 'Tokens have a new key; everybody has to sign in again.'
    : `Tokens have a new key from now on. Keys that still verify, this one included: ${verifying}.`,
)
await shared.close()
await pool.end()
await database?.stop()
process.exit(0)
