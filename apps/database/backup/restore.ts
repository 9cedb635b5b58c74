import { randomBytes, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import {
  chooseClusterHome,
  findPostgresInstallation,
  createTraversableFolder,
  createPrivateFolder,
  type PostgresInstallation,
  readClusterConnection,
  moveFolderIntoPlace,
  writeClusterConnection,
} from '../embedded-postgres-installation.ts'
import { connectAsSuperuser, runningPostgresPid, stopPostgres } from '../embedded-postgres-process.ts'
import {
  walArchiveCommand,
  NO_ARCHIVE_COMMAND,
  walRestoreCommand,
  backupFoldersOf,
  findArchiveOwnerCluster,
  createWalArchiveFolder,
  canWriteArchive,
  formatBackupTime,
  readArchiveOwner,
  timelineOfCluster,
  findWalTimelines,
  writeArchiveOwner,
} from './archive.ts'
import { type BackupManifest, listBaseBackups } from './base-backup.ts'

type RestoreOptions = {
  backupDir: string
  /** The data folder to restore into; created when missing. */
  dataDir: string
  /** Restores what was committed until then; everything when undefined. */
  at?: Date
  /** The timeline to follow; that of the archive's owner when undefined. */
  timeline?: number
  /** The archive's owner is gone for good: the restored database becomes the owner and archives in its place. */
  takeOver?: boolean
  log?: (line: string) => void
}

/** The backup used, and the path the previous database was moved to. */
type Restored = {
  backup: BackupManifest
  aside: string | undefined
  /** The original lives on, so this copy does not write into its archive. */
  isCopy: boolean
}

const SETTINGS = [
  'restore_command',
  'recovery_target_time',
  'recovery_target_timeline',
  'recovery_target_action',
] as const

export function requirePastTime(at: Date): void {
  const now = new Date()
  if (at > now)
    throw new Error(
      `${formatBackupTime(at)} has not come yet: it is ${formatBackupTime(now)}. Say an earlier moment, or none.`,
    )
}

/**
 * Restores the embedded database to a point in time: the newest backup before it, then the archived WAL. Moves the
 * previous database aside and never deletes it; puts it back when the restore fails. Refuses while the database runs.
 * An empty folder becomes a copy, which does not write into its original's archive.
 */
export async function restoreToPointInTime(options: RestoreOptions): Promise<Restored> {
  const { backupDir, at, log = () => {} } = options
  if (at) requirePastTime(at)
  const dataDir = resolve(options.dataDir)
  createTraversableFolder(dataDir)
  const link = join(dataDir, 'cluster')
  const course = courseOf(options, stoppedCluster(link))
  const backup = chooseBackup(backupDir, at, course)
  const place = findPostgresInstallation(link, log)
  const made = await copyBack(options, backup, place, dataDir)
  const aside = putAside(link)
  const owner = readArchiveOwner(backupDir)
  try {
    moveFolderIntoPlace(made, link)
    const cluster = realpathSync(link)
    const living = course.isOurs ? aside && realpathSync(aside) : course.living
    askForRecovery(cluster, { backupDir, at, course, living }, place)
    nameCluster(cluster, { backupDir, course }, place)
    log(
      `Restoring ${backup.name}${at ? `, from there to ${formatBackupTime(at)}` : ' and all that was archived since'}`,
    )
    await recover(dataDir, cluster, { log, backupDir: course.isCopy ? '' : backupDir })
  } catch (error) {
    // A recovery that was not done in time is still running.
    if (existsSync(link)) await stopPostgres({ cluster: realpathSync(link), log })
    rmSync(made, { recursive: true, force: true })
    rmSync(link, { recursive: true, force: true })
    if (aside) renameSync(aside, link)
    if (owner && !course.isCopy) writeArchiveOwner(backupDir, owner, place)
    throw new Error(reasonOf(error as Error, backup, at), { cause: error })
  }
  return { backup, aside, isCopy: course.isCopy }
}

/** Returns the existing database's folder, undefined when there is none; throws when it is running. */
function stoppedCluster(link: string): string | undefined {
  if (!existsSync(link)) return undefined
  const cluster = realpathSync(link)
  if (runningPostgresPid(cluster)) throw new Error(`The database in ${link} runs. Stop the product, then restore.`)
  return cluster
}

/** Renames the existing database folder, or the link to it even when broken. Returns the new path. */
function putAside(link: string): string | undefined {
  if (!lstatSync(link, { throwIfNoEntry: false })) return undefined
  const aside = `${link}.before-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
  renameSync(link, aside)
  return aside
}

/** Writes the restored database's identity: the archive's owner, or a copy (`copyOf`). */
function nameCluster(
  cluster: string,
  { backupDir, course }: { backupDir: string; course: Course },
  place: PostgresInstallation,
): void {
  const { timeline, archiveId, isCopy } = course
  const { folder: _others, archiveId: _its, copyOf: _nor, ...memo } = readClusterConnection(cluster)
  writeClusterConnection(
    cluster,
    { ...memo, archiveId, ...(isCopy && { copyOf: backupFoldersOf(backupDir).root }) },
    place,
  )
  if (isCopy) return
  createWalArchiveFolder(backupDir, place)
  writeArchiveOwner(backupDir, { id: archiveId, cluster, timeline }, place)
}

/** The timeline to restore and the restored database's relation to the archive. */
type Course = {
  timeline: number
  /** Folder of the archive's owner if it is on this machine; its `pg_wal` has segments not archived yet. */
  living: string | undefined
  /** The data folder being restored into holds the archive's owner, which is replaced. */
  isOurs: boolean
  isCopy: boolean
  archiveId: string
}

function courseOf(
  { backupDir, timeline, takeOver = false, log = () => {} }: RestoreOptions,
  was: string | undefined,
): Course {
  const { wal, root } = backupFoldersOf(backupDir)
  const memo = was === undefined ? undefined : readClusterConnection(was)
  // An existing database that may write into this archive is the one being replaced.
  const isOurs = !!memo && canWriteArchive(backupDir, memo)
  const living = isOurs ? was : findArchiveOwnerCluster(backupDir)
  const own = timelineOfOwner(backupDir, isOurs ? was : undefined)
  const seen = timelinesSeen(wal, living)
  const words = [...seen]
    .sort(([a], [b]) => a - b)
    .map(
      ([one, written]) => `${one}${one === own ? " (the living one's)" : ''}, written to ${formatBackupTime(written)}`,
    )
  if (words.length) log(`Timelines in ${root}: ${words.join('; ')}.`)
  const followed = timeline ?? own ?? onlyTimeline(backupDir, seen)
  if (followed === undefined)
    throw new Error(
      `The archive in ${root} holds several courses of events and does not say which is the living one's: ` +
        `${words.join('; ')}. Say which one is followed with --timeline; a restore that was only rehearsed may have ` +
        'begun the newer ones.',
    )
  return {
    timeline: followed,
    living,
    isOurs,
    isCopy: !isOurs && !takeOver,
    archiveId: (isOurs && memo?.archiveId) || randomUUID(),
  }
}

/** Returns the owner's timeline as the archive names it, else that of cluster `ours`. */
const timelineOfOwner = (backupDir: string, ours: string | undefined): number | undefined =>
  readArchiveOwner(backupDir)?.timeline ?? (ours === undefined ? undefined : timelineOfCluster(ours))

/** Returns the timelines in the archive and in the owner's `pg_wal`, each with the time its newest file was written. */
function timelinesSeen(wal: string, living: string | undefined): Map<number, Date> {
  const seen = findWalTimelines(wal)
  for (const [timeline, written] of living ? findWalTimelines(join(living, 'pg_wal')) : [])
    if (!(seen.get(timeline)! > written)) seen.set(timeline, written)
  return seen
}

/**
 * Returns the only timeline there is; the newest backup's when nothing was archived yet; undefined when there are
 * several.
 */
function onlyTimeline(backupDir: string, seen: ReadonlyMap<number, Date>): number | undefined {
  if (seen.size > 1) return undefined
  const [only] = seen.keys()
  return only ?? listBaseBackups(backupDir).at(-1)?.timeline ?? 1
}

/** Returns the WAL position at which each ancestor timeline ends, read from the timeline's history file. */
function ancestorsOf(backupDir: string, { timeline, living }: Course): Map<number, bigint> {
  const name = `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`
  const archived = join(backupFoldersOf(backupDir).wal, `${name}.gz`)
  const own = living && join(living, 'pg_wal', name)
  const text = existsSync(archived)
    ? gunzipSync(readFileSync(archived)).toString()
    : own && existsSync(own)
      ? readFileSync(own, 'utf8')
      : ''
  const lines = [...text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)]
  return new Map(lines.map(([, parent, lsn]) => [Number(parent), placeOf(lsn!)]))
}

/** Parses a WAL position such as `0/5000028`. */
const placeOf = (lsn: string): bigint => {
  const [high, low] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/**
 * Returns the newest backup that ended before `at` and lies on the timeline or, before the fork, on an ancestor of it.
 */
function chooseBackup(backupDir: string, at: Date | undefined, course: Course): BackupManifest {
  const all = listBaseBackups(backupDir)
  if (!all.length) throw new Error(`There is no backup in ${resolve(backupDir)}.`)
  const ancestors = ancestorsOf(backupDir, course)
  const startOf = ({ startWal }: BackupManifest) =>
    `${startWal.slice(8, 16)}/${startWal.slice(16).padStart(8, '0').slice(-2)}000000`
  const along = all.filter((one) => {
    if (one.timeline === course.timeline) return true
    const fork = ancestors.get(one.timeline)
    return fork !== undefined && placeOf(one.endLsn ?? startOf(one)) <= fork
  })
  if (!along.length)
    throw new Error(
      `No backup in ${resolve(backupDir)} lies on timeline ${course.timeline}; there are backups of ` +
        `${[...new Set(all.map((one) => one.timeline))].join(', ')}: say one with --timeline.`,
    )
  const backup = at ? along.findLast(({ end }) => end <= at.toISOString()) : along.at(-1)
  if (!backup) {
    throw new Error(
      `The oldest backup in ${resolve(backupDir)} was made at ${formatBackupTime(new Date(along[0]!.end))}; ` +
        'nothing before it can be restored.',
    )
  }
  return backup
}

async function copyBack(
  { backupDir, log = () => {} }: RestoreOptions,
  backup: BackupManifest,
  place: PostgresInstallation,
  dataDir: string,
): Promise<string> {
  // Next to the existing cluster, where the database's account can reach it.
  const was = join(dataDir, 'cluster')
  const home = existsSync(was) ? dirname(realpathSync(was)) : chooseClusterHome(dataDir, place, log)
  const made = join(home, `cluster.${randomBytes(6).toString('hex')}`)
  createPrivateFolder(made, place.identity)
  await cp(join(backupFoldersOf(backupDir).root, backup.name, 'cluster'), made, {
    recursive: true,
    verbatimSymlinks: true,
  })
  const { identity } = place
  const inside = identity ? ['.', ...readdirSync(made, { recursive: true, encoding: 'utf8' })] : []
  for (const name of inside) chownSync(join(made, name), identity!.uid, identity!.gid)
  return made
}

/** Writes the recovery settings and `recovery.signal`, so that the next start recovers from this archive. */
function askForRecovery(
  cluster: string,
  { backupDir, at, course, living }: { backupDir: string; at?: Date; course: Course; living?: string },
  { identity }: PostgresInstallation,
) {
  const { wal } = backupFoldersOf(backupDir)
  const values: Record<(typeof SETTINGS)[number] | 'archive_command', string> = {
    restore_command: walRestoreCommand(wal, living),
    recovery_target_time: at?.toISOString().replace('T', ' ').replace('Z', '+00') ?? '',
    recovery_target_timeline: String(course.timeline),
    recovery_target_action: 'promote',
    // The backup's own setting would archive a copy's new timeline into the original's archive.
    archive_command: course.isCopy ? NO_ARCHIVE_COMMAND : walArchiveCommand(wal, course.archiveId),
  }
  const lines = Object.entries(values).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
  appendFileSync(join(cluster, 'postgresql.auto.conf'), lines.join(''))
  const signal = join(cluster, 'recovery.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  if (identity) chownSync(signal, identity.uid, identity.gid)
}

/** Starts the server, which is ready once recovery ended, then removes the recovery settings and stops it. */
async function recover(
  dataDir: string,
  cluster: string,
  { log, backupDir }: { log: (line: string) => void; backupDir: string },
) {
  // Without hot standby the server accepts no connection before recovery ends. Its errors are read from its output,
  // which the logging collector would take away.
  const settings = { logging_collector: 'off', hot_standby: 'off' }
  const server = await startEmbeddedPostgres({ dataDir, backupDir, log, settings })
  try {
    const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
    for (const name of SETTINGS) await client.query(`alter system reset ${name}`)
    await client.query('select pg_reload_conf()')
    await client.end()
  } finally {
    await server.stop()
  }
}

function reasonOf({ message }: Error, { name, end }: BackupManifest, at: Date | undefined): string {
  const reason = /recovery ended before configured recovery target was reached/.test(message)
    ? `The archive ends before ${formatBackupTime(at!)}. Without a moment everything there is is restored; ` +
      `the newest backup before it, ${name}, was made at ${formatBackupTime(new Date(end))}.`
    : message
  return `Nothing was restored; what was there is as it was.\n${reason}`
}
