import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openClient } from '#kit/server/database/connections.ts'
import {
  type ClusterConnection,
  type PostgresInstallation,
  postgresSpawnOptions,
  writeClusterConnection,
  writePrivateFile,
} from './embedded-postgres-installation.ts'

export type WriteLogLine = (line: string) => void

/** A cluster with the programs, connection and settings it is started with. */
export type PostgresServerConfig = {
  place: PostgresInstallation
  cluster: string
  memo: ClusterConnection
  settings: Record<string, string>
  log: WriteLogLine
  /** The port is in use by pools and must not change any more. */
  isAddressKnown?: boolean
}

/** Starts the server of this cluster if it is not running. Returns a superuser connection. */
export async function connectOrStartPostgres(server: PostgresServerConfig): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    const outcome = runningPostgresPid(server.cluster)
      ? await waitUntilReady(server, () => !runningPostgresPid(server.cluster))
      : await launch(server)
    if (outcome instanceof pg.Client) return outcome
    // Retried: another program may have taken the port, or children of a killed server still hold its shared memory.
    if (attempt === 5) throw new Error(`The database in ${server.cluster} does not start.\n${outcome}`)
    await pause(200 * attempt)
  }
}

/** The file name of PostgreSQL's socket for a port. */
export const postgresSocketName = (port: number): string => `.s.PGSQL.${port}`

/** Longest path of a Unix socket in bytes; macOS has the lowest limit. */
const SOCKET_PATH_MAX = 103

/**
 * Returns the folder of the server's Unix socket: the cluster's own, which only its account can enter. Undefined where
 * the path is too long, or holds characters that `unix_socket_directories` does not take.
 */
export function postgresSocketFolder(cluster: string): string | undefined {
  const longest = join(cluster, postgresSocketName(65_535))
  if (process.platform === 'win32' || Buffer.byteLength(longest) > SOCKET_PATH_MAX) return undefined
  return /[",]/.test(cluster) ? undefined : cluster
}

/**
 * Removes the sockets of a killed server. PostgreSQL would take their lock files for a running server's once another
 * process has that pid.
 */
function removeSockets(cluster: string): void {
  for (const name of readdirSync(cluster)) if (name.startsWith('.s.PGSQL.')) rmSync(join(cluster, name))
}

/** Stops the server with a fast shutdown and waits for its end; after 30 s with an immediate one. */
export async function stopPostgres({ cluster, log }: Pick<PostgresServerConfig, 'cluster' | 'log'>) {
  const pid = runningPostgresPid(cluster)
  if (!pid) return
  signal(pid, 'SIGINT')
  for (let waited = 0; runningPostgresPid(cluster) === pid; waited += 10) {
    if (waited === 30_000) {
      log('The database does not stop; it is cut off. Nothing committed is lost.')
      signal(pid, 'SIGQUIT')
    }
    await pause(10)
  }
}

/** Asks the server to stop without waiting, for when the process is already ending. */
export function requestPostgresStop({ cluster }: PostgresServerConfig) {
  const pid = runningPostgresPid(cluster)
  if (pid) signal(pid, 'SIGINT')
}

/** Returns a free port on loopback. The system picks it from its upper range, where no known service listens. */
export function findFreePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}

/** Logs that `doing` is still going on after two seconds and every ten seconds from then on. */
export async function withProgressLog<T>(log: WriteLogLine, doing: string, work: Promise<T>): Promise<T> {
  const since = Date.now()
  const say = () => log(`${doing}… ${Math.round((Date.now() - since) / 1000)} s`)
  const first = setTimeout(say, 2000)
  const every = setInterval(say, 10_000)
  return work.finally(() => {
    clearTimeout(first)
    clearInterval(every)
  })
}

async function launch({
  place,
  cluster,
  memo,
  settings,
  isAddressKnown,
}: PostgresServerConfig): Promise<pg.Client | string> {
  detachPidFile(cluster)
  removeSockets(cluster)

  if (!(await isFree(memo.port))) {
    // Pools in this process use the port, so it is kept and tried again. A client that connects to a closed local port
    // may occupy it for a moment itself.
    if (isAddressKnown) return `Port ${memo.port} is taken.`
    memo.port = await findFreePort()
    writeClusterConnection(cluster, memo, place)
  }

  const startLog = join(cluster, 'start.log')
  writePrivateFile(startLog, '', place)
  const output = openSync(startLog, 'a')
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  // In its own process group, so that Ctrl-C in the terminal reaches this process alone, which stops the database last.
  const child = spawn(place.postgres, ['-D', cluster, '-p', String(memo.port), ...flags], {
    ...postgresSpawnOptions(place.identity),
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  })
  closeSync(output)
  child.unref()
  let gone: string | undefined
  child.once('error', (error) => (gone = error.message))
  child.once('exit', () => (gone ??= 'It ended at once.'))
  const outcome = await waitUntilReady({ cluster, memo }, () => gone !== undefined)
  if (outcome instanceof pg.Client) return outcome
  return readFileSync(startLog, 'utf8').trim() || gone || outcome
}

/**
 * Waits up to ten minutes for the server to become ready, since crash recovery may take that long, but only 20 seconds
 * when it is ready and refuses the connection. Returns the client, or the reason.
 */
async function waitUntilReady(
  { cluster, memo }: Pick<PostgresServerConfig, 'cluster' | 'memo'>,
  isGone: () => boolean,
) {
  let why = 'It does not get ready.'
  const until = Date.now() + 600_000
  let refusedSince = 0
  while (Date.now() < until && !isGone()) {
    const pidFile = readPidFile(cluster)
    if (pidFile?.ready) {
      memo.port = pidFile.port
      const outcome = await connect(memo, cluster)
      if (outcome instanceof pg.Client) return outcome
      why = outcome
      refusedSince ||= Date.now()
      if (Date.now() - refusedSince > 20_000) break
    }
    await pause(20)
  }
  return why
}

/** Returns a superuser connection to the running server of this cluster; throws where none answers. */
export async function connectAsSuperuser(memo: ClusterConnection, cluster: string): Promise<pg.Client> {
  const outcome = await connect(memo, cluster)
  if (outcome instanceof pg.Client) return outcome
  throw new Error(`The database in ${cluster} does not answer: ${outcome}`)
}

/**
 * Connects and checks the server's data directory: the password alone proves nothing, since a copied data folder has
 * the same one. Returns the client, or the reason.
 */
async function connect({ port, superuserPassword }: ClusterConnection, cluster: string): Promise<pg.Client | string> {
  try {
    const client = await openClient({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password: superuserPassword,
      database: 'postgres',
      connectionTimeoutMillis: 5000,
      application_name: 'keeper',
    })
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    if (rows[0]?.data_directory === cluster) return client
    await client.end()
    return `Port ${port} belongs to another database.`
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns the pid of the server running on this cluster, if any. */
export function runningPostgresPid(cluster: string): number | undefined {
  const pid = readPidFile(cluster)?.pid
  return pid && isPostgresProcessOf(pid, cluster) ? pid : undefined
}

/** Returns whether process `pid` is a PostgreSQL server started on this very cluster: pids are reused. */
export function isPostgresProcessOf(pid: number, cluster: string): boolean {
  if (!signal(pid, 0)) return false
  if (process.platform === 'win32') return true
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
    // As a whole argument: one folder's path may be part of another's.
    const isOn =
      process.platform === 'linux' ? command.split('\0').includes(cluster) : `${command} `.includes(` ${cluster} `)
    return isOn && command.includes('postgres')
  } catch {
    return false
  }
}

/**
 * Puts this process's pid into a stale `postmaster.pid`. PostgreSQL refuses to start while the pid in that file is any
 * living process, but ignores its parent's. The other lines stay, as they guard against surviving children of a killed
 * server.
 */
function detachPidFile(cluster: string) {
  const pidFile = readPidFile(cluster)
  if (!pidFile) return
  const file = join(cluster, 'postmaster.pid')
  // The file was written to a full disk: PostgreSQL refuses to start with a pid file it cannot read. The shared memory
  // still guards the data.
  if (!(pidFile.pid > 0)) return rmSync(file, { force: true })
  if (!signal(pidFile.pid, 0)) return
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*/, String(process.pid)))
}

function readPidFile(cluster: string) {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
