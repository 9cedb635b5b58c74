import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connectionUrlsPerHost, openClient } from '#kit/server/database/connections.ts'
import { createDatabaseRoles } from '#kit/server/database/migrate.ts'
import { backupFoldersOf, formatBackupTime } from './archive.ts'
import { fileNameTimestamp } from './base-backup.ts'
import { requirePastTime } from './restore.ts'

/**
 * Dumps of a database the user runs (DATABASE_URL) are made by `pg_dump`. Point-in-time recovery is up to whoever runs
 * that server (decision 0025).
 */
const DUMP = /^dump-(.+)\.dump$/

/** Returns the time a dump began in epoch ms, from its file name. Names without an offset are in UTC. */
function timeOf(name: string): number {
  const [, day, time, zone] = /(\d{4}-\d\d-\d\d)T(\d{6})(\+0800)?/.exec(name) ?? []
  return Date.parse(`${day}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}${zone ? '+08:00' : 'Z'}`)
}

/** Returns the dumps in a folder with the time each began (epoch ms), oldest first. */
export const listDumps = (backupDir: string): { name: string; at: number }[] =>
  existsSync(backupDir)
    ? readdirSync(backupDir)
        .filter((name) => DUMP.test(name))
        .map((name) => ({ name, at: timeOf(name) }))
        .sort((a, b) => a.at - b.at)
    : []

/**
 * Dumps the database into a file and deletes all but the newest `keep` dumps. Needs `pg_dump` of the server's version
 * or newer. Returns a sentence for the user.
 */
export async function dumpDatabase(url: string, backupDir: string, keep: number): Promise<string> {
  const { root } = backupFoldersOf(backupDir)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  chmodSync(root, 0o700)
  const name = `dump-${fileNameTimestamp(new Date())}.dump`
  const part = join(root, `${name}.part`)
  try {
    // The dump holds all data, so the file is created readable by this account alone.
    writeFileSync(part, '', { mode: 0o600 })
    await run('pg_dump', ['--format=custom', '--no-owner', `--file=${part}`], url)
    renameSync(part, join(root, name))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  for (const old of listDumps(root).slice(0, -keep)) rmSync(join(root, old.name))
  return `${name} was written. To a moment between two dumps your server's own tools restore.`
}

/**
 * Loads the newest dump that began before `at` into an empty database, after creating the product's roles on its
 * server. Refuses a database that has tables. Returns a sentence for the user.
 */
export async function loadNewestDump(url: string, backupDir: string, at: Date | undefined): Promise<string> {
  if (at) requirePastTime(at)
  const name = listDumps(backupDir).findLast((one) => !at || one.at <= at.getTime())?.name
  if (!name)
    throw new Error(`There is no dump in ${resolve(backupDir)}${at ? ` from before ${formatBackupTime(at)}` : ''}.`)
  const client = await openClient({ connectionString: url })
  try {
    const { rows } = await client.query(
      "select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1",
    )
    if (rows.length) {
      throw new Error(
        'A dump is loaded into an empty database only; this one has tables. ' +
          'Create a new one and say it in DATABASE_URL.',
      )
    }
    await createDatabaseRoles(client)
  } finally {
    await client.end()
  }
  const how = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${databaseOf(url)}`]
  await run('pg_restore', [...how, join(backupDir, name)], url)
  return `${name} was loaded. Start the product as always.`
}

const databaseOf = (url: string) => decodeURIComponent(new URL(connectionUrlsPerHost(url)[0]!).pathname.slice(1))

/**
 * Runs `pg_dump` or `pg_restore`. The connection is passed in environment variables, so that the password appears in no
 * process list.
 */
function run(program: 'pg_dump' | 'pg_restore', args: string[], url: string): Promise<void> {
  const hosts = connectionUrlsPerHost(url).map((one) => new URL(one))
  const { username, password, searchParams } = hosts[0]!
  const env = {
    ...process.env,
    PGHOST: hosts.map(({ hostname }) => hostname).join(','),
    PGPORT: hosts.map(({ port }) => port || '5432').join(','),
    ...(hosts.length > 1 ? { PGTARGETSESSIONATTRS: 'read-write' } : {}),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseOf(url),
    ...(searchParams.has('sslmode') ? { PGSSLMODE: searchParams.get('sslmode')! } : {}),
  }
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr = `${stderr}${String(chunk)}`.slice(-2000)))
    child.once('error', () =>
      fail(
        new Error(
          `${program} is not installed here. Install PostgreSQL's client programs of your server's ` +
            "version, or use your server's own backups.",
        ),
      ),
    )
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`${program} ended with ${code}: ${stderr.trim()}`)),
    )
  })
}
