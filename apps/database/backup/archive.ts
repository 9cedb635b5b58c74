import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { formatShanghaiTime } from '#kit/server/time.ts'
import {
  type ClusterConnection,
  createPrivateFolder,
  type PostgresInstallation,
  canEnterFolder,
  readClusterConnection,
  writePrivateFile,
} from '../embedded-postgres-installation.ts'

/** Where a backup folder keeps what. */
export const backupFoldersOf = (backupDir: string) => {
  const root = resolve(backupDir)
  return { root, wal: join(root, 'wal'), files: join(root, 'files'), keys: join(root, 'keys') }
}

/**
 * What archives nothing and keeps nothing back: an empty command would let the log of the database grow without end.
 */
export const NO_ARCHIVE_COMMAND = 'true'
/** So many seconds of work are lost at most when the whole machine is. */
const ARCHIVE_SECONDS = 60

const quoted = (path: string) => `'${path}'`

/**
 * The database an archive belongs to: one writes into it, and a restore without a word follows its timeline. A copy of
 * that database, as a rehearsed restore makes one, has an `id` of its own.
 */
type Owner = {
  id: string
  /** Its folder, which may lie on another machine. */
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

/** Whether a database may write into an archive: its owner, or the first one where it has none. */
export function canWriteArchive(backupDir: string, { archiveId, copyOf }: ClusterConnection): boolean {
  const owner = readArchiveOwner(backupDir)
  return owner ? owner.id === archiveId : copyOf !== backupFoldersOf(backupDir).root
}

/** The owner's database, where it lies on this machine and is still itself. */
export function findArchiveOwnerCluster(backupDir: string): string | undefined {
  const owner = readArchiveOwner(backupDir)
  if (!owner || !existsSync(join(owner.cluster, 'PG_VERSION'))) return undefined
  return readClusterConnection(owner.cluster).archiveId === owner.id ? owner.cluster : undefined
}

/** Whether the command looks for this owner before it writes. */
const ownerCheck = (wal: string, id: string) => `grep -qF ${quoted(id)} ${quoted(join(wal, OWNER))}`

/**
 * Copies one finished piece of the log aside, as long as the archive is ours; a piece that is there is the same, or the
 * command fails and is seen.
 */
export function walArchiveCommand(wal: string, id: string): string {
  const done = quoted(`${wal}/%f.gz`)
  const part = quoted(`${wal}/%f.part`)
  const copy = `gzip -c "%p" > ${part} && chmod 600 ${part} && sync ${part} && mv ${part} ${done}`
  return `${ownerCheck(wal, id)} && if [ -f ${done} ]; then gzip -dc ${done} | cmp -s - "%p"; else ${copy}; fi`
}

/** Reads a piece back: from the archive, or from the living database, which has the last pieces. */
export function walRestoreCommand(wal: string, living: string | undefined): string {
  const fromArchive = `gzip -dc ${quoted(`${wal}/%f.gz`)} > "%p" 2>/dev/null`
  return living ? `${fromArchive} || cp ${quoted(`${living}/pg_wal/%f`)} "%p" 2>/dev/null` : fromArchive
}

const PIECE = /^([0-9A-F]{8})(?:[0-9A-F]{16}|\.history)(?:\.gz)?$/

/** The timelines whose pieces lie in a folder, with the moment the last of each was written. */
export function findWalTimelines(folder: string): Map<number, Date> {
  const found = new Map<number, Date>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const timeline = parseInt(PIECE.exec(name)?.[1] ?? '', 16)
    const written = timeline && statSync(join(folder, name), { throwIfNoEntry: false })?.mtime
    if (written && !(found.get(timeline)! > written)) found.set(timeline, written)
  }
  return found
}

/** The timeline a database is on, by its own log. */
export const timelineOfCluster = (cluster: string): number | undefined => {
  const all = [...findWalTimelines(join(cluster, 'pg_wal')).keys()]
  return all.length ? Math.max(...all) : undefined
}

/** A moment as backup says it and restore takes it. */
export const formatBackupTime = (moment: Date): string => `${formatShanghaiTime(moment)} (China's time)`

/** The folder of the archive, made so that the account of the database may write there, and nobody else read. */
export function createWalArchiveFolder(backupDir: string, { identity }: PostgresInstallation): string {
  const { root, wal } = backupFoldersOf(backupDir)
  if (/['"%\n\\]/.test(root)) throw new Error(`BACKUP_DIR may hold neither quotes nor per cent signs: ${root}`)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  // Another account than ours passes through, and lists nothing.
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

/** Refuses a database that would write into the archive of another one. */
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
 * Sets where the log of the database is archived: a folder, '' for nowhere, undefined for as it was set before. It is
 * kept in the database, so that a command beside the product leaves no gap. `client` is a superuser's.
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
  // Without archiving the word is "(disabled)", and there is nothing to set.
  if (wanted === now!.command || now!.command === '(disabled)') return
  await client.query(`alter system set archive_command = ${client.escapeLiteral(wanted)}`)
  await client.query(`alter system set archive_timeout = ${backupDir ? ARCHIVE_SECONDS : 0}`)
  await client.query('select pg_reload_conf()')
}

/** A copied folder brings the command of its original along. */
const isOfOther = (command: string, { archiveId }: ClusterConnection): boolean =>
  command.startsWith('grep -qF ') && !command.includes(archiveId!)
