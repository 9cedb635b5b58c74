import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { openClient } from '#kit/server/database/connections.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/** Where test databases are cloned: the server's address and the name of the template database on it. */
export type TestCluster = {
  adminUrl: string
  template: string
  /** How `create database` copies: without fsync, `file_copy` is three times as fast as writing through the WAL. */
  strategy: 'file_copy' | 'default'
}

/**
 * The application's script that exports `prepareTestTemplateDatabase(url)`, which migrates and seeds an empty database.
 */
const HOOK = join(import.meta.dirname, '../../apps/server/src/prepare-template.ts')
const FOLDER = 'test-database-'

/** Server settings that give up durability for speed: a test run has nothing to lose in a power failure. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  wal_level: 'minimal',
  archive_mode: 'off',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_connections: '300',
  log_min_duration_statement: '-1',
}

/**
 * Opens the server of a test run, with its template prepared: an embedded one in a folder of its own,
 * or the one of TEST_DATABASE_URL or DATABASE_URL. `close()` removes every trace.
 */
export async function openTestCluster(): Promise<TestCluster & { close: () => Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL
  const { adminUrl, close } = external ? { adminUrl: external, close: async () => {} } : await openEmbedded()
  const run = `test_${randomBytes(4).toString('hex')}`
  const template = `${run}_template`
  const closeAll = async () => {
    if (external) await dropDatabases(adminUrl, run)
    await close()
  }
  try {
    await createDatabase(adminUrl, template)
    await prepare(databaseUrl(adminUrl, template))
  } catch (error) {
    await closeAll()
    throw error
  }
  return { adminUrl, template, strategy: external ? 'default' : 'file_copy', close: closeAll }
}

/** Creates an empty database. */
export async function createDatabase(adminUrl: string, name: string) {
  await asAdmin(adminUrl, (client) => client.query(`create database ${name}`))
}

/** Creates a database as a copy of the template. */
export async function cloneTemplate({ adminUrl, template, strategy }: TestCluster, name: string) {
  // PostgreSQL 14 has one strategy and no option for it.
  const how = strategy === 'default' ? '' : `strategy ${strategy}`
  await asAdmin(adminUrl, (client) => client.query(`create database ${name} template ${template} ${how}`))
}

const GOODBYES = 20
const VACUUM_TRIES = 40
const isForbidden = (error: unknown) => (error as { code?: string }).code === '42501'

/** Removes a database together with the sessions still open on it. */
export async function dropDatabase(adminUrl: string, name: string) {
  await asAdmin(adminUrl, async (client) => {
    await goodbyes(client, name)
    for (let tries = 1; ; tries++) {
      try {
        await client.query(`drop database if exists ${name} with (force)`)
        return
      } catch (error) {
        // Without superuser rights, autovacuum's session cannot be ended; it ends by itself.
        if (!isForbidden(error) || tries === VACUUM_TRIES) throw error
        await setTimeout(250)
      }
    }
  })
}

/**
 * Waits up to half a second until the sessions of a database are gone. A pool resolves `end()` before its sockets are
 * closed, and a connection cut off then emits an error nobody handles.
 */
async function goodbyes(client: pg.Client, name: string): Promise<void> {
  for (let look = 0; look < GOODBYES; look++) {
    const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name])
    if (!rows.length) return
    await setTimeout(25)
  }
}

/**
 * Returns the seconds its sessions were executing statements, once they have disconnected. Where nothing waits, that is
 * processor time.
 */
export const workedFor = (adminUrl: string, name: string): Promise<number> =>
  asAdmin(adminUrl, async (client) => {
    await goodbyes(client, name)
    const { rows } = await client.query<{ seconds: number }>(
      'select active_time / 1000 as seconds from pg_stat_database where datname = $1',
      [name],
    )
    return rows[0]?.seconds ?? 0
  })

/** Returns the address with another database name. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function openEmbedded() {
  await removeLeftovers()
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS, log: console.error })
  const close = async () => {
    reportServerTimes(folder)
    await server.stop()
    discard(folder)
  }
  return { adminUrl: server.url, close }
}

/**
 * Clock ticks per second, and the index of the `utime` field in /proc/<pid>/stat after the command name; three more
 * fields of processor time follow it.
 */
const [TICKS, USER_TIME] = [100, 11]

/**
 * Writes the processor time of the server to `<TEST_TIMES>.database`: it is no child of the test run, whose own times
 * leave it out.
 */
function reportServerTimes(folder: string): void {
  if (!process.env.TEST_TIMES || process.platform !== 'linux') return
  const keeper = readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]!
  const children = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').split(' ').filter(Boolean)
  const ticks = [keeper, ...children].flatMap((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parts = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return parts.slice(USER_TIME, USER_TIME + 4).map(Number)
  })
  writeFileSync(`${process.env.TEST_TIMES}.database`, String(ticks.reduce((sum, one) => sum + one, 0) / TICKS))
}

/** Stops the servers and removes the folders that killed test runs left behind. */
export async function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER) ? Number(name.slice(FOLDER.length).split('-')[0]) : undefined
    if (!pid || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    try {
      if (existsSync(join(folder, 'cluster', 'postmaster.pid'))) {
        await (await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS })).stop()
      }
      discard(folder)
    } catch {
      // Another run removes it too, or it belongs to another account.
    }
  }
}

function discard(folder: string) {
  const cluster = join(folder, 'cluster')
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Returns whether a process is alive. A zombie keeps its pid, but has an empty command line. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Migrates and seeds the template database in a process of its own, as in production, so that nothing stays open here.
 */
async function prepare(url: string) {
  if (!existsSync(HOOK)) return
  const program =
    'const { prepareTestTemplateDatabase: prepare } = await import(process.argv[1]); await prepare(process.argv[2])'
  await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, pathToFileURL(HOOK).href, url],
    { env: { ...process.env, DATABASE_URL: url } },
  )
}

async function dropDatabases(adminUrl: string, prefix: string) {
  await asAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [`${prefix}_`],
    )
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}

async function asAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient({ connectionString: adminUrl })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
