// npm run backup [-- --keep 7]: the database, files and keys into BACKUP_DIR, while the product runs or not.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#apps/server/src/config.ts'
import { backupFoldersOf, formatBackupTime } from '#apps/database/backup/archive.ts'
import { copyMissingFiles, deleteOldBackups, takeBaseBackup } from '#apps/database/backup/base-backup.ts'
import { dumpDatabase } from '#apps/database/backup/dump.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { readClusterConnection } from '#apps/database/embedded-postgres-installation.ts'
import { connectAsSuperuser } from '#apps/database/embedded-postgres-process.ts'

const KEEP = 7
const { databaseUrl, dataDir } = readConfig([], process.env)
const backupDir = process.env.BACKUP_DIR
const at = process.argv.indexOf('--keep')
const backupsKept = at < 0 ? KEEP : Number(process.argv[at + 1])

/** The first whole second after the backup's end: restore takes times in seconds. */
const upToSecond = (end: string) => new Date(Math.ceil(Date.parse(end) / 1000) * 1000)

async function embedded(folder: string): Promise<void> {
  const database = await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, backupDir: folder, log: console.log })
  const cluster = realpathSync(join(dataDir, 'postgres', 'cluster'))
  const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
  try {
    const note = await takeBaseBackup(client, cluster, folder)
    console.log(`${note.name}: ${Math.ceil(note.bytes / 1e6)} MB`)
    console.log(
      note.isArchived
        ? `From ${formatBackupTime(upToSecond(note.end))} on every moment can be restored: npm run restore -- --at "…"`
        : 'Only this moment can be restored: the product was started without BACKUP_DIR. Start it again with it, ' +
            'and every later moment can.',
    )
    for (const name of deleteOldBackups(folder, backupsKept))
      console.log(`${name} was removed; the newest ${backupsKept} are kept.`)
    const {
      rows: [archive],
    } = await client.query<{ failing: boolean }>(
      "select last_failed_time > coalesce(last_archived_time, '-infinity') as failing from pg_stat_archiver",
    )
    if (archive?.failing) {
      throw new Error(
        `The archive in ${folder} is behind: the last piece of the log could not be copied there. ` +
          `Look at its room and at ${cluster}/log.`,
      )
    }
  } finally {
    await client.end()
    await database.stop()
  }
}

try {
  if (!backupDir) throw new Error('BACKUP_DIR says where backups are kept: another disk, or a folder copied elsewhere.')
  if (!Number.isInteger(backupsKept) || backupsKept < 1)
    throw new Error('--keep takes how many backups are kept, 1 or more.')
  if (databaseUrl) console.log(await dumpDatabase(databaseUrl, backupDir, backupsKept))
  else await embedded(backupDir)
  const { files, keys } = backupFoldersOf(backupDir)
  const copied =
    (await copyMissingFiles(join(dataDir, 'files'), files)) + (await copyMissingFiles(join(dataDir, 'keys'), keys))
  console.log(
    process.env.S3_ENDPOINT ? 'Files lie in the object store, which keeps its own versions.' : `${copied} new files`,
  )
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
