// npm run database: prints the address and password of the embedded database, for other tools.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#apps/server/src/config.ts'
import { tcpDatabaseUrl } from '#apps/database/embedded-postgres.ts'
import { readClusterConnection } from '#apps/database/embedded-postgres-installation.ts'
import { runningPostgresPid } from '#apps/database/embedded-postgres-process.ts'

const { databaseUrl, dataDir } = readConfig([], process.env)
const link = join(dataDir, 'postgres', 'cluster')
if (databaseUrl) console.log('DATABASE_URL is set: the database is your own server’s, not the embedded one.')
else if (!existsSync(link)) {
  console.error(`There is no database in ${link} yet; it is made when the product starts.`)
  process.exitCode = 1
} else {
  const cluster = realpathSync(link)
  const memo = readClusterConnection(cluster)
  console.log(`address   ${tcpDatabaseUrl(memo)}`)
  console.log(`password  ${memo.password}`)
  console.log(`folder    ${cluster}`)
  console.log(
    `state     ${runningPostgresPid(cluster) ? 'running' : 'stopped; the port may be another after the next start'}`,
  )
}
