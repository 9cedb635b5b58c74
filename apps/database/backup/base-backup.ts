import { constants, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readlink, rename, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { backupFoldersOf } from './archive.ts'

/** The content of `backup.json`, written once a backup is complete. */
export type BackupManifest = {
  /** Folder name, `base-` and the time the backup began. */
  name: string
  /** Time the copy ended (ISO, UTC). It is the earliest time this backup can be restored to. */
  end: string
  startWal: string
  /** WAL position at which the copy becomes consistent; undefined in older backups. */
  endLsn?: string
  timeline: number
  systemId: string
  bytes: number
  /** Whether the database archived its WAL into this backup folder, so that times after `end` can be restored too. */
  isArchived: boolean
}

const NOTE = 'backup.json'

/** Formats a time for a file name, in China's time with its offset: `2026-03-01T120000+0800`. */
export const fileNameTimestamp = (moment: Date): string =>
  `${formatShanghaiTime(moment).replace(' ', 'T').replaceAll(':', '')}+0800`

/**
 * Top-level folders whose content belongs to the running server and is not copied, as listed in PostgreSQL's
 * documentation of base backups.
 */
const NOT_COPIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'log',
])
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|start\.log|current_logfiles|pg_internal\.init|pgsql_tmp.*|\.s\.PGSQL\..*|.*\.new)$/

/** Returns the completed backups in a folder, oldest first. */
export function listBaseBackups(backupDir: string): BackupManifest[] {
  const { root } = backupFoldersOf(backupDir)
  if (!existsSync(root)) return []
  return readdirSync(root)
    .filter((name) => existsSync(join(root, name, NOTE)))
    .map((name) => JSON.parse(readFileSync(join(root, name, NOTE), 'utf8')) as BackupManifest)
    .sort((a, b) => a.end.localeCompare(b.end))
}

/**
 * Makes a base backup of a running cluster between `pg_backup_start` and `pg_backup_stop`, with the WAL written
 * meanwhile, so that the copy can be started. `client` is a superuser of that database. `now` names the folder.
 */
export async function takeBaseBackup(
  client: pg.Client,
  cluster: string,
  backupDir: string,
  now = new Date(),
): Promise<BackupManifest> {
  const { root } = backupFoldersOf(backupDir)
  const name = `base-${fileNameTimestamp(now)}`
  const part = join(root, `${name}.part`)
  const copy = join(part, 'cluster')
  await mkdir(copy, { recursive: true, mode: 0o700 })
  await chmod(part, 0o700)
  try {
    // The temporary slot keeps the server from removing WAL segments the copy needs while this session lives.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [`backup_${process.pid}`])
    const {
      rows: [begun],
    } = await client.query<{ wal: string }>(
      "select pg_walfile_name(lsn) as wal from pg_backup_start('backup', true) as lsn",
    )

    let bytes = await copyFolder(cluster, copy, true)
    const {
      rows: [ended],
    } = await client.query<{ labelfile: string; wal: string; lsn: string; end: string; command: string }>(`
      select s.labelfile, pg_walfile_name(s.lsn) as wal, s.lsn::text as lsn,
        to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as end,
        current_setting('archive_command') as command
      from pg_backup_stop(false) s`)

    writeFileSync(join(copy, 'backup_label'), ended!.labelfile, { mode: 0o600 })
    await client.query('select pg_switch_wal()')
    bytes += await copyLog(cluster, copy, begun!.wal, ended!.wal)

    const {
      rows: [control],
    } = await client.query<{ id: string; timeline: number }>(`
      select system_identifier::text as id, (select timeline_id from pg_control_checkpoint()) as timeline
      from pg_control_system()`)

    const note: BackupManifest = {
      name,
      end: ended!.end,
      startWal: begun!.wal,
      endLsn: ended!.lsn,
      timeline: control!.timeline,
      systemId: control!.id,
      bytes,
      isArchived: ended!.command.includes(backupFoldersOf(backupDir).wal),
    }
    writeFileSync(join(part, NOTE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
    await rename(part, join(root, name))
    return note
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
}

async function copyFolder(from: string, to: string, isTop: boolean): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700, recursive: true })
      if (!isTop || !NOT_COPIED.has(entry.name)) bytes += await copyFolder(source, target, false)
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) bytes += await copyOne(source, target)
  }
  for (const folder of isTop ? ['archive_status', 'summaries'] : []) {
    await mkdir(join(to, 'pg_wal', folder), { recursive: true, mode: 0o700 })
  }
  return bytes
}

/**
 * Copies a file and returns its size. Returns 0 for a file that was deleted meanwhile: WAL replay settles that when the
 * copy is started.
 */
async function copyOne(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    await chmod(target, 0o600)
    return (await stat(target)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

async function copyLog(cluster: string, copy: string, first: string, last: string): Promise<number> {
  let bytes = 0
  for (const name of (await readdir(join(cluster, 'pg_wal'))).sort()) {
    const isBetween = /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last
    if (isBetween || name.endsWith('.history'))
      bytes += await copyOne(join(cluster, 'pg_wal', name), join(copy, 'pg_wal', name))
  }
  return bytes
}

/**
 * Copies the files that `to` does not have yet: files and keys are never changed in place. Skips unfinished uploads
 * (`incoming`). Returns the number of files copied.
 */
export async function copyMissingFiles(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0
  let copied = 0
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copied += entry.name === 'incoming' ? 0 : await copyMissingFiles(source, target)
    else if (entry.isFile() && !existsSync(target)) {
      await copyFile(source, `${target}.part`, constants.COPYFILE_FICLONE)
      await chmod(`${target}.part`, 0o600)
      await rename(`${target}.part`, target)
      copied++
    }
  }
  return copied
}

/** Deletes all but the newest `keep` backups and the WAL segments only they needed. Returns the deleted names. */
export function deleteOldBackups(backupDir: string, keep: number): string[] {
  const { root, wal } = backupFoldersOf(backupDir)
  const all = listBaseBackups(backupDir)
  const gone = all.slice(0, Math.max(0, all.length - keep))
  for (const { name } of gone) rmSync(join(root, name), { recursive: true, force: true })
  // Removes copies cut short by a crash. A younger one may still be running.
  const yesterday = Date.now() - 86_400_000
  for (const name of readdirSync(root)) {
    const isOld = /^base-.*\.part$/.test(name) && statSync(join(root, name)).mtimeMs < yesterday
    if (isOld) rmSync(join(root, name), { recursive: true, force: true })
  }
  const oldest = all[gone.length]
  if (oldest && existsSync(wal)) {
    // The first eight digits of a segment's name are its timeline: segments are compared by position alone.
    const place = (name: string) => name.slice(8, 24)
    for (const name of readdirSync(wal)) {
      const isPassed = /^[0-9A-F]{24}/.test(name) && place(name) < place(oldest.startWal)
      if (isPassed) rmSync(join(wal, name), { force: true })
    }
  }
  return gone.map(({ name }) => name)
}
