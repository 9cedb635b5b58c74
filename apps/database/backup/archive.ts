import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  type ClusterConnection,
  createPrivateFolder,
  type PostgresInstallation,
  canEnterFolder,
  readClusterConnection,
  writePrivateFile,
} from '../embedded-postgres-installation.ts'

/**
 * Paths in a backup folder: `wal` is the archive of the write-ahead log, `files` and `keys` are copies of the data
 * folder's.
 */
export const backupFoldersOf = (backupDir: string) => {
  const root = resolve(backupDir)
  return { root, wal: join(root, 'wal'), files: join(root, 'files'), keys: join(root, 'keys') }
}

/**
 * The `archive_command` that archives nothing but succeeds. With an empty command PostgreSQL would keep its log (WAL)
 * for ever.
 */
export const NO_ARCHIVE_COMMAND = 'true'
/**
 * `archive_timeout`: an unfinished log segment is archived after so many seconds, so that the loss of the whole machine
 * costs at most a minute of work.
 */
const ARCHIVE_SECONDS = 60

const quoted = (path: string) => `'${path}'`

/**
 * The database a WAL archive belongs to (`owner.json`). Only this one writes into the archive, and a restore follows
 * its timeline by default. A copy made by a rehearsed restore gets another `id`.
 */
type Owner = {
  id: string
  /** The owner's cluster folder, which may be on another machine. */
  cluster: string
  timeline: number
}

const OWNER = 'owner.json'

export function readArchiveOwner(backupDir: string): Owner | undefined {
  const file = join(backupFoldersOf(backupDir).wal, OWNER)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Owner) : undefined
}

export function writeArchiveOwner(backupDir: string, owner: Owner, place: PostgresInstallation): void {
  const file = join(backupFoldersOf(backupDir).wal, OWNER)
  writePrivateFile(`${file}.new`, JSON.stringify(owner), place)
  renameSync(`${file}.new`, file)
}

/**
 * Returns whether a database may write into the archive: it is the owner, or there is no owner yet and it was not
 * restored from these backups as a copy.
 */
export function canWriteArchive(backupDir: string, { archiveId, copyOf }: ClusterConnection): boolean {
  const owner = readArchiveOwner(backupDir)
  return owner ? owner.id === archiveId : copyOf !== backupFoldersOf(backupDir).root
}

/** Returns the cluster folder of the archive's owner if it is on this machine and still has the owner's `archiveId`. */
export function findArchiveOwnerCluster(backupDir: string): string | undefined {
  const owner = readArchiveOwner(backupDir)
  if (!owner || !existsSync(join(owner.cluster, 'PG_VERSION'))) return undefined
  return readClusterConnection(owner.cluster).archiveId === owner.id ? owner.cluster : undefined
}

/** The part of `archive_command` that fails when the archive belongs to another database. */
const ownerCheck = (wal: string, id: string) => `grep -qF ${quoted(id)} ${quoted(join(wal, OWNER))}`

/**
 * Builds `archive_command`: compresses one finished WAL segment into the archive while the archive belongs to database
 * `id`. A segment already archived must have the same content, otherwise the command fails and PostgreSQL reports it.
 */
export function walArchiveCommand(wal: string, id: string): string {
  const done = quoted(`${wal}/%f.gz`)
  const part = quoted(`${wal}/%f.part`)
  const copy = `gzip -c "%p" > ${part} && chmod 600 ${part} && sync ${part} && mv ${part} ${done}`
  return `${ownerCheck(wal, id)} && if [ -f ${done} ]; then gzip -dc ${done} | cmp -s - "%p"; else ${copy}; fi`
}

/**
 * Builds `restore_command`: fetches a WAL segment from the archive, or else from the `pg_wal` folder of the running
 * database, which has the segments not archived yet.
 */
export function walRestoreCommand(wal: string, living: string | undefined): string {
  const fromArchive = `gzip -dc ${quoted(`${wal}/%f.gz`)} > "%p" 2>/dev/null`
  return living ? `${fromArchive} || cp ${quoted(`${living}/pg_wal/%f`)} "%p" 2>/dev/null` : fromArchive
}

const PIECE = /^([0-9A-F]{8})(?:[0-9A-F]{16}|\.history)(?:\.gz)?$/

/** Returns the timelines that have WAL files in a folder, each with the time its newest file was written. */
export function findWalTimelines(folder: string): Map<number, Date> {
  const found = new Map<number, Date>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const timeline = parseInt(PIECE.exec(name)?.[1] ?? '', 16)
    const written = timeline && statSync(join(folder, name), { throwIfNoEntry: false })?.mtime
    if (written && !(found.get(timeline)! > written)) found.set(timeline, written)
  }
  return found
}

/** Returns the highest timeline in the cluster's own `pg_wal` folder, undefined when that is empty. */
export const timelineOfCluster = (cluster: string): number | undefined => {
  const all = [...findWalTimelines(join(cluster, 'pg_wal')).keys()]
  return all.length ? Math.max(...all) : undefined
}

/** Formats a time in the form that backup prints and restore accepts. */
export const formatBackupTime = (moment: Date): string => `${formatShanghaiTime(moment)} (China's time)`

/** Creates the WAL archive folder, which only the database's account may read and write. Returns its path. */
export function createWalArchiveFolder(backupDir: string, { identity }: PostgresInstallation): string {
  const { root, wal } = backupFoldersOf(backupDir)
  if (/['"%\n\\]/.test(root)) throw new Error(`BACKUP_DIR may hold neither quotes nor per cent signs: ${root}`)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  // The database's account, if it is another one, may enter the folder but not list it.
  chmodSync(root, identity ? 0o711 : 0o700)
  if (!existsSync(wal)) createPrivateFolder(wal, identity)
  else if (identity) chownSync(wal, identity.uid, identity.gid)
  if (identity && !canEnterFolder(root, identity)) {
    throw new Error(
      `The account of the database (${identity.uid}) cannot enter ${root}. ` +
        "Choose a BACKUP_DIR that is not below a folder of root's own.",
    )
  }
  return wal
}

/** Throws when the archive belongs to another database. */
export function requireArchiveOwnership(backupDir: string, memo: ClusterConnection): void {
  if (canWriteArchive(backupDir, memo)) return
  const { root } = backupFoldersOf(backupDir)
  throw new Error(
    `BACKUP_DIR ${root} belongs to another database (${readArchiveOwner(backupDir)?.cluster ?? memo.copyOf}); ` +
      'this one is a copy of it, and would spoil what that one is restored from. Give this one a BACKUP_DIR of its ' +
      'own. Where the ' +
      'other one is gone for good, restore into an empty DATA_DIR with: npm run restore -- --take-over',
  )
}

/**
 * Sets `archive_command`: a folder, '' to archive nothing, undefined to keep the present setting. Stored with `alter
 * system`, so that a script that starts the server without BACKUP_DIR archives on without a gap. `client` must be a
 * superuser.
 */
export async function configureWalArchiving(
  client: pg.Client,
  place: PostgresInstallation,
  { backupDir, cluster, memo }: { backupDir: string | undefined; cluster: string; memo: ClusterConnection },
): Promise<void> {
  const {
    rows: [now],
  } = await client.query<{ command: string; timeline: string | null }>(
    `select setting as command,
      case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
      from pg_settings where name = 'archive_command'`,
  )
  if (backupDir && now!.timeline)
    writeArchiveOwner(backupDir, { id: memo.archiveId!, cluster, timeline: parseInt(now!.timeline, 16) }, place)
  const isKept = backupDir === undefined && now!.command !== '' && !isOfOther(now!.command, memo)
  if (isKept) return
  const wanted = backupDir
    ? walArchiveCommand(createWalArchiveFolder(backupDir, place), memo.archiveId!)
    : NO_ARCHIVE_COMMAND
  // Without archiving (`archive_mode` is off) the command reads "(disabled)" and is left alone.
  if (wanted === now!.command || now!.command === '(disabled)') return
  await client.query(`alter system set archive_command = ${client.escapeLiteral(wanted)}`)
  await client.query(`alter system set archive_timeout = ${backupDir ? ARCHIVE_SECONDS : 0}`)
  await client.query('select pg_reload_conf()')
}

/** Whether `archive_command` names another database's archive, as it does in a copied data folder. */
const isOfOther = (command: string, { archiveId }: ClusterConnection): boolean =>
  command.startsWith('grep -qF ') && !command.includes(archiveId!)
