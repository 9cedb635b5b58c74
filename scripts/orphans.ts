// npm run orphans: lists references to rows that do not exist, of all tenants and in the logs too; exits with an error
// when there are some.
import { readConfig } from '#apps/server/src/config.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { findOrphans } from '#kit/server/resource/orphans.ts'

const config = readConfig([], process.env)
const database = config.databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: `${config.dataDir}/postgres`, log: console.log })
const app = await createServerApp({ ...config, isTest: true, databaseUrl: config.databaseUrl ?? database!.url })
try {
  const found = await findOrphans(app.services, { isWhole: true })
  for (const { resource, field, names, count, ids } of found)
    console.log(`${resource}.${field}: ${count} name no ${names}, such as ${ids.join(', ')}`)
  if (!found.length) console.log('Every reference names a row.')
  process.exitCode = found.length ? 1 : 0
} finally {
  await app.stop()
  await database?.stop()
}
