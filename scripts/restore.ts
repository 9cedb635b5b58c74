// npm run restore [-- --at "2026-11-22 17:59" --timeline 1 --take-over]: restores the product's data as of a time, or
// the latest there is. Times are China's. An empty DATA_DIR becomes a copy, which archives nothing in BACKUP_DIR; with
// --take-over it replaces an original that is gone for good.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#apps/server/src/config.ts'
import { backupFoldersOf } from '#apps/database/backup/archive.ts'
import { copyMissingFiles } from '#apps/database/backup/base-backup.ts'
import { loadNewestDump } from '#apps/database/backup/dump.ts'
import { restoreToPointInTime } from '#apps/database/backup/restore.ts'

const { databaseUrl, dataDir } = readConfig([], process.env)
const backupDir = process.env.BACKUP_DIR

function option(name: string): string | undefined {
  const place = process.argv.indexOf(name)
  return place < 0 ? undefined : (process.argv[place + 1] ?? '')
}

/** Parses the time of `--at`, in China's time unless it has an offset. Throws when it is not one. */
function momentOf(text: string): Date {
  const [, day, time = '00:00', zone = '+08:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim()) ?? []
  const moment = new Date(`${day}T${time}${zone}`)
  if (!day || Number.isNaN(moment.getTime()))
    throw new Error(`--at takes a moment such as "2026-11-22 17:59", not "${text}".`)
  return moment
}

async function embedded(folder: string): Promise<void> {
  const [at, timeline] = [option('--at'), option('--timeline')]
  if (timeline !== undefined && !/^\d{1,6}$/.test(timeline)) throw new Error('--timeline takes a number.')
  const { backup, aside, isCopy } = await restoreToPointInTime({
    backupDir: folder,
    dataDir: join(dataDir, 'postgres'),
    at: at === undefined ? undefined : momentOf(at),
    timeline: timeline === undefined ? undefined : Number(timeline),
    takeOver: process.argv.includes('--take-over'),
    log: console.log,
  })
  console.log(`Restored from ${backup.name}. Start the product as always.`)
  if (isCopy)
    console.log(
      `This is a copy: its original goes on, and ${folder} is that one's. Start this one without BACKUP_DIR, or with ` +
        'one of its own.',
    )
  if (aside) console.log(`What was there before is kept in ${aside}; delete it when you are sure.`)
}

try {
  if (!backupDir || !existsSync(backupDir)) throw new Error('BACKUP_DIR says where the backups are.')
  if (databaseUrl)
    console.log(
      await loadNewestDump(
        databaseUrl,
        backupDir,
        option('--at') === undefined ? undefined : momentOf(option('--at')!),
      ),
    )
  else await embedded(backupDir)
  const { files, keys } = backupFoldersOf(backupDir)
  const copied =
    (await copyMissingFiles(files, join(dataDir, 'files'))) + (await copyMissingFiles(keys, join(dataDir, 'keys')))
  console.log(`${copied} files that were missing came back.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
