import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { mkdirPrivate, type Place, reaches } from '../embedded-postgres-place.ts'

/** Where a backup folder keeps what. */
export const foldersOf = (backupDir: string) => {
  const root = resolve(backupDir)
  return { root, wal: join(root, 'wal'), files: join(root, 'files'), keys: join(root, 'keys') }
}

/**
 * What archives nothing and keeps nothing back: an empty command would let the log of the database grow without end.
 */
const NOTHING = 'true'
/** So many seconds of work are lost at most when the whole machine is. */
const ARCHIVE_SECONDS = 60

const quoted = (path: string) => `'${path}'`

/** Copies one finished piece of the log aside; a piece that is there is the same, or the command fails and is seen. */
function archiveCommand(wal: string): string {
  const done = quoted(`${wal}/%f.gz`)
  const part = quoted(`${wal}/%f.part`)
  const copy = `gzip -c "%p" > ${part} && sync ${part} && mv ${part} ${done}`
  return `if [ -f ${done} ]; then gzip -dc ${done} | cmp -s - "%p"; else ${copy}; fi`
}

/** Reads a piece back: from the archive, or from the database that was put aside, which has the last pieces. */
export function fetchCommand(wal: string, aside: string | undefined): string {
  const fromArchive = `gzip -dc ${quoted(`${wal}/%f.gz`)} > "%p" 2>/dev/null`
  return aside ? `${fromArchive} || cp ${quoted(`${aside}/pg_wal/%f`)} "%p" 2>/dev/null` : fromArchive
}

/** The folder of the archive, made so that the account of the database may write there. */
export function makeArchive(backupDir: string, { identity }: Place): string {
  const { root, wal } = foldersOf(backupDir)
  if (/['"%\n\\]/.test(root)) throw new Error(`BACKUP_DIR may hold neither quotes nor per cent signs: ${root}`)
  if (!existsSync(root)) mkdirSync(root, { recursive: true, mode: 0o711 })
  if (!existsSync(wal)) mkdirPrivate(wal, identity)
  else if (identity) chownSync(wal, identity.uid, identity.gid)
  if (identity && !reaches(root, identity)) {
    throw new Error(
      `The account of the database (${identity.uid}) cannot enter ${root}. ` +
        "Choose a BACKUP_DIR that is not below a folder of root's own.",
    )
  }
  return wal
}

/**
 * Sets where the log of the database is archived: a folder, '' for nowhere, undefined for as it was set before. It is
 * kept in the database, so that a command beside the product leaves no gap. `client` is a superuser's.
 */
export async function setArchive(client: pg.Client, place: Place, backupDir: string | undefined): Promise<void> {
  const {
    rows: [now],
  } = await client.query<{ command: string }>(
    "select setting as command from pg_settings where name = 'archive_command'",
  )
  const asBefore = backupDir === undefined ? now!.command : ''
  const wanted = backupDir ? archiveCommand(makeArchive(backupDir, place)) : asBefore || NOTHING
  // Without archiving the word is "(disabled)", and there is nothing to set.
  if (wanted === now!.command || now!.command === '(disabled)') return
  await client.query(`alter system set archive_command = ${client.escapeLiteral(wanted)}`)
  await client.query(`alter system set archive_timeout = ${backupDir ? ARCHIVE_SECONDS : 0}`)
  await client.query('select pg_reload_conf()')
}
