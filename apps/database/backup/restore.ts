import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import {
  chooseClusterHome,
  findPlace,
  mkdirOpen,
  mkdirPrivate,
  type Place,
  readMemo,
  settle,
  writeMemo,
} from '../embedded-postgres-place.ts'
import { openSuperuser, runningPid, stopServer } from '../embedded-postgres-process.ts'
import { fetchCommand, foldersOf } from './archive.ts'
import { type BackupNote, backupsIn } from './base-backup.ts'

type RestoreOptions = {
  backupDir: string
  /** The folder of the database, which need not exist. */
  dataDir: string
  /** Everything committed until then and nothing later; without it, everything there is. */
  at?: Date
  /** Which of several courses of events is followed, where a restore has begun a second one. */
  timeline?: number
  log?: (line: string) => void
}

/** What was restored, and where the database that was there before is kept. */
type Restored = { backup: BackupNote; aside: string | undefined }

const SETTINGS = [
  'restore_command',
  'recovery_target_time',
  'recovery_target_timeline',
  'recovery_target_action',
] as const

/**
 * Puts the embedded database back to a moment: the newest backup before it, and from there the archived log. What was
 * there before is put aside and never deleted; where the restore fails it is put back. Refuses while the database runs.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Restored> {
  const { backupDir, at, log = () => {} } = options
  const dataDir = resolve(options.dataDir)
  mkdirOpen(dataDir)
  const link = join(dataDir, 'cluster')
  const isThere = existsSync(link)
  if (isThere && runningPid(realpathSync(link)))
    throw new Error(`The database in ${link} runs. Stop the product, then restore.`)
  const backup = chooseBackup(backupDir, at)
  const place = findPlace(link, log)
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const aside = lstatSync(link, { throwIfNoEntry: false }) ? `${link}.before-${stamp}` : undefined
  const made = await copyBack(options, backup, place, dataDir)
  if (aside) renameSync(link, aside)
  try {
    settle(made, link)
    const cluster = realpathSync(link)
    askForRecovery(cluster, options, aside, place)
    const { folder: _others, ...memo } = readMemo(cluster)
    writeMemo(cluster, memo, place)
    log(`Restoring ${backup.name}${at ? `, from there to ${at.toISOString()}` : ' and all that was archived since'}`)
    await recover(dataDir, cluster, log)
  } catch (error) {
    // One that takes longer than anybody waits is still at it.
    if (existsSync(link)) await stopServer({ cluster: realpathSync(link), log })
    rmSync(made, { recursive: true, force: true })
    rmSync(link, { recursive: true, force: true })
    if (aside) renameSync(aside, link)
    throw new Error(reasonOf(error as Error, backup, at), { cause: error })
  }
  return { backup, aside }
}

function chooseBackup(backupDir: string, at: Date | undefined): BackupNote {
  const all = backupsIn(backupDir)
  if (!all.length) throw new Error(`There is no backup in ${resolve(backupDir)}.`)
  const backup = at ? all.findLast(({ end }) => end <= at.toISOString()) : all.at(-1)
  if (!backup) {
    throw new Error(
      `The oldest backup in ${resolve(backupDir)} was made at ${all[0]!.end}; nothing before it can be restored.`,
    )
  }
  return backup
}

async function copyBack(
  { backupDir, log = () => {} }: RestoreOptions,
  backup: BackupNote,
  place: Place,
  dataDir: string,
): Promise<string> {
  // Beside what was there, which its account could reach.
  const was = join(dataDir, 'cluster')
  const home = existsSync(was) ? dirname(realpathSync(was)) : chooseClusterHome(dataDir, place, log)
  const made = join(home, `cluster.${randomBytes(6).toString('hex')}`)
  mkdirPrivate(made, place.identity)
  await cp(join(foldersOf(backupDir).root, backup.name, 'cluster'), made, { recursive: true, verbatimSymlinks: true })
  const { identity } = place
  const inside = identity ? ['.', ...readdirSync(made, { recursive: true, encoding: 'utf8' })] : []
  for (const name of inside) chownSync(join(made, name), identity!.uid, identity!.gid)
  return made
}

/** Leaves word in the folder: the next start is a recovery, from this archive, up to there. */
function askForRecovery(
  cluster: string,
  { backupDir, at, timeline }: RestoreOptions,
  aside: string | undefined,
  { identity }: Place,
) {
  const values: Record<(typeof SETTINGS)[number], string> = {
    restore_command: fetchCommand(foldersOf(backupDir).wal, aside && realpathSync(aside)),
    recovery_target_time: at?.toISOString().replace('T', ' ').replace('Z', '+00') ?? '',
    recovery_target_timeline: String(timeline ?? 'latest'),
    recovery_target_action: 'promote',
  }
  const lines = SETTINGS.map((name) => `${name} = '${values[name].replaceAll("'", "''")}'\n`)
  appendFileSync(join(cluster, 'postgresql.auto.conf'), lines.join(''))
  const signal = join(cluster, 'recovery.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  if (identity) chownSync(signal, identity.uid, identity.gid)
}

/** Starts it until it is done, and takes the word back. */
async function recover(dataDir: string, cluster: string, log: (line: string) => void) {
  // Nobody reads before the end, so that ready means done; what goes wrong is read from the output, where the
  // collector would hide it.
  const settings = { logging_collector: 'off', hot_standby: 'off' }
  const server = await startEmbeddedPostgres({ dataDir, log, settings })
  try {
    const client = await openSuperuser(readMemo(cluster), cluster)
    for (const name of SETTINGS) await client.query(`alter system reset ${name}`)
    await client.query('select pg_reload_conf()')
    await client.end()
  } finally {
    await server.stop()
  }
}

function reasonOf({ message }: Error, { name, end }: BackupNote, at: Date | undefined): string {
  const reason = /recovery ended before configured recovery target was reached/.test(message)
    ? `The archive ends before ${at!.toISOString()}. Without a moment everything there is is restored; the newest ` +
      'backup ' +
      `before it, ${name}, was made at ${end}.`
    : message
  return `Nothing was restored; what was there is as it was.\n${reason}`
}
