// npm run read-archive -- archive/log_api_2026_01.jsonl.gz: loads an archived month into a table of its own to be
// looked at; `drop table` removes it.
import { basename } from 'node:path'
import { readConfig } from '#apps/server/src/config.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { loadArchiveIntoTable } from '#kit/server/database/archive.ts'
import { openClient } from '#kit/server/database/connections.ts'
import { nameWithoutPartition } from '#kit/server/database/partitions.ts'

const [file] = process.argv.slice(2)
if (!file?.endsWith('.jsonl.gz'))
  throw new Error('Say the file: npm run read-archive -- archive/log_api_2026_01.jsonl.gz')
const config = readConfig([], process.env)
const database = config.databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: `${config.dataDir}/postgres`, log: console.log })
const client = await openClient({ connectionString: config.databaseUrl ?? database!.url })
try {
  const part = basename(file, '.jsonl.gz')
  const table = `archive_${part}`
  const count = await loadArchiveIntoTable(client, file, table, nameWithoutPartition(part))
  console.log(`${count} rows are in the table ${table}, which only the owner of the database reads.`)
} finally {
  await client.end()
  await database?.stop()
}
