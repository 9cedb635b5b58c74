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

/** Where test databases are cloned: a server and the name of the prepared database on it. */
export type TestCluster = {
  adminUrl: string
  template: string
  /** Without fsync, copying files is three times as fast as writing them through the log. */
  strategy: 'file_copy' | 'default'
}

/** The application's hook: exports `prepareTemplate(url)`, which brings an empty database to the newest schema. */
const HOOK = join(import.meta.dirname, '../../apps/server/src/prepare-template.ts')
const FOLDER = 'test-database-'

/** What a test run may lose when the power fails is nothing: speed over durability. */
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
  // PostgreSQL 14 knows one way only and no word for it.
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
        // Who is no superuser cannot send the server's own vacuum away; it leaves by itself.
        if (!isForbidden(error) || tries === VACUUM_TRIES) throw error
        await setTimeout(250)
      }
    }
  })
}

/**
 * A pool resolves its end before its sockets are closed. Cut off in that moment, a connection reports an error to
 * nobody.
 */
async function goodbyes(client: pg.Client, name: string): Promise<void> {
  for (let look = 0; look < GOODBYES; look++) {
    const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name])
    if (!rows.length) return
    await setTimeout(25)
  }
}

/** Seconds the sessions of a database were at work, when they have left: where nobody waits, its processor's. */
export const workedFor = (adminUrl: string, name: string): Promise<number> =>
  asAdmin(adminUrl, async (client) => {
    await goodbyes(client, name)
    const { rows } = await client.query<{ seconds: number }>(
      'select active_time / 1000 as seconds from pg_stat_database where datname = $1',
      [name],
    )
    return rows[0]?.seconds ?? 0
  })

/** The same server, another database. */
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
    tellTimes(folder)
    await server.stop()
    discard(folder)
  }
  return { adminUrl: server.url, close }
}

/** Ticks of a processor second, and where in a line of /proc/<pid>/stat those of a process and its children begin. */
const [TICKS, USER_TIME] = [100, 11]

/** Writes beside the times of the tests what the server has cost: no program waits for it as for a child. */
function tellTimes(folder: string): void {
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

/** Runs that were killed leave a server and a folder behind; the next run stops and removes them. */
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
      // Another run is at it, or it belongs to another account.
    }
  }
}

function discard(folder: string) {
  const cluster = join(folder, 'cluster')
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** A killed process that nobody waits for keeps its number, but has no command any more. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a process of its own, so that the application runs as it does in production and leaves nothing open here. */
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
