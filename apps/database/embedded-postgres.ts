import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type pg from 'pg'
import {
  chooseClusterHome,
  findPostgresInstallation,
  type ClusterConnection,
  createTraversableFolder,
  createPrivateFolder,
  type PostgresInstallation,
  readClusterConnection,
  postgresSpawnOptions,
  moveFolderIntoPlace,
  writeClusterConnection,
  writePrivateFile,
} from './embedded-postgres-installation.ts'
import { requireArchiveOwnership, createWalArchiveFolder, configureWalArchiving } from './backup/archive.ts'
import { claimDataFolder } from './embedded-postgres-folder.ts'
import {
  requestPostgresStop,
  findFreePort,
  type WriteLogLine,
  withProgressLog,
  connectOrStartPostgres,
  type PostgresServerConfig,
  postgresSocketFolder,
  postgresSocketName,
  stopPostgres,
} from './embedded-postgres-process.ts'

type EmbeddedPostgresOptions = {
  /** Folder of the database with all its state: data, port, password, logs. */
  dataDir: string
  /** Gets a line about steps of more than two seconds and about anything unusual. */
  log?: WriteLogLine
  /** Folder to archive the WAL in; '' for none, undefined to keep the present setting. */
  backupDir?: string
  /** Server settings that override the defaults. */
  settings?: Record<string, string>
  /** Does not restart the server when it dies: a standby may have been promoted. */
  isMortal?: boolean
}

export type EmbeddedPostgres = {
  /** Address of the owner role, which may create roles and databases but is no superuser. */
  url: string
  /** Another living process runs this server: it is shared, and `stop()` leaves it running. */
  attached: boolean
  stop: () => Promise<void>
}

const OWNER = 'app'
/** Advisory lock held by the process that stops the server. When it is free, that process died. */
const KEEPER_LOCK = 7_206_001

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const EMBEDDED_CONNECTIONS_MAX = 150

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  max_connections: String(EMBEDDED_CONNECTIONS_MAX),
  // A plan over all partitions of a table locks each of them and its indexes until the transaction ends.
  max_locks_per_transaction: '256',
  timezone: 'Asia/Shanghai',
  log_timezone: 'Asia/Shanghai',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '128MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  jit: 'off',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // A list's count is index-only while vacuum keeps up: large tables are vacuumed after 2 % of changes, not 20 %.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.02',
  autovacuum_vacuum_insert_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.02',
  autovacuum_vacuum_cost_limit: '2000',
  // `archive_mode` can only be set at the start; the command is set while it runs (backup/archive.ts).
  archive_mode: 'on',
  // From PostgreSQL 16 on, a role's creator can act as that role only with this setting.
  createrole_self_grant: 'set, inherit',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_min_duration_statement: '2s',
}

/**
 * Starts the bundled PostgreSQL on a folder, or takes over the server a killed process left running there. Restarts it
 * when it dies. `stop()` ends it, and so do SIGINT, SIGTERM and SIGHUP if nobody else handles them.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {})
  const dataDir = resolve(options.dataDir)
  createTraversableFolder(dataDir)
  const cluster = join(dataDir, 'cluster')
  const place = findPostgresInstallation(cluster, log)
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await withProgressLog(log, 'Creating the database', createCluster(cluster, dataDir, place, log))
  }
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (major !== place.major) {
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${major}; the bundled one is ${place.major}. ` +
        'Dump it with the old version and load it into an empty data folder.',
    )
  }
  const home = realpathSync(cluster)
  const settings = { ...SETTINGS, unix_socket_directories: postgresSocketFolder(home) ?? '', ...options.settings }
  const memo = claimDataFolder(cluster, home, readClusterConnection(cluster), place)
  const server: PostgresServerConfig = { place, cluster: home, memo, settings, log }
  // Before the start: a folder that cannot be written leaves no server behind.
  if (options.backupDir) {
    requireArchiveOwnership(options.backupDir, memo)
    createWalArchiveFolder(options.backupDir, place)
  }
  const first = await withProgressLog(log, 'Starting the database', connectOrStartPostgres(server))
  await configureWalArchiving(first, place, { backupDir: options.backupDir, cluster: home, memo })
  return keepPostgresRunning(server, first, options.isMortal)
}

/** The address on loopback with the owner's password. */
export const tcpDatabaseUrl = ({ port, password }: Pick<ClusterConnection, 'port' | 'password'>): string =>
  `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}`

/**
 * Returns the address the product connects to: a Unix socket where there is one, which needs a third less CPU per
 * message than loopback. Host and port stay in it for tools that know only ports.
 */
const nearUrlOf = (memo: ClusterConnection, cluster: string): string => {
  const folder = postgresSocketFolder(cluster)
  const hasSocket = folder !== undefined && existsSync(join(folder, postgresSocketName(memo.port)))
  return hasSocket ? `${tcpDatabaseUrl(memo)}?host=${encodeURIComponent(folder)}` : tcpDatabaseUrl(memo)
}

/**
 * Makes this process the keeper, which stops the server, unless another living process already is. When the server goes
 * away with its keeper, this process restarts it and becomes the keeper.
 */
async function keepPostgresRunning(
  server: PostgresServerConfig,
  first: pg.Client,
  isMortal = false,
): Promise<EmbeddedPostgres> {
  const { memo, log } = server
  await ensureOwnerRole(first, memo)
  const url = nearUrlOf(memo, server.cluster)
  server.isAddressKnown = true
  let watched = first
  let isKeeper = await takeKeeperLock(first)
  let stopping: Promise<void> | undefined
  let reviving: Promise<void> | undefined

  const watch = () =>
    watched.once('end', () => {
      if (!stopping && !isMortal) reviving = revive()
    })
  const revive = async () => {
    log('The database went away; starting it again.')
    let lastError = ''
    while (!stopping) {
      try {
        watched = await connectOrStartPostgres(server)
        isKeeper = await takeKeeperLock(watched)
        watch()
        log('The database is back.')
        return
      } catch (error) {
        // Logged once and retried every second: a full disk may last for hours.
        if ((error as Error).message !== lastError) log((lastError = (error as Error).message))
        await pause(1000)
      }
    }
  }

  const stop = () =>
    (stopping ??= (async () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
      process.off('exit', onExit)
      // Waits for a restart under way, whose server nobody would stop otherwise.
      await reviving
      if (isKeeper) await withProgressLog(log, 'Stopping the database', stopPostgres(server))
      await watched.end().catch(() => {})
    })())

  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) === 1) void stop().finally(() => process.kill(process.pid, signal))
  }
  const onExit = () => {
    if (isKeeper) requestPostgresStop(server)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('exit', onExit)
  watch()
  return { url, attached: !isKeeper, stop }
}

async function takeKeeperLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [KEEPER_LOCK])
  return rows[0]!.taken
}

/** Creates the owner role and its database where missing, also after a first start that was cut short. */
export async function ensureOwnerRole(client: pg.Client, { password }: Pick<ClusterConnection, 'password'>) {
  const database = await client.query('select from pg_database where datname = $1', [OWNER])
  if (database.rowCount) return
  const role = await client.query('select from pg_roles where rolname = $1', [OWNER])
  if (!role.rowCount) await client.query(`create role ${OWNER} login createdb createrole password '${password}'`)
  // For index builds, which turn compression off: compressing the WAL of an index takes half as long as building it.
  await client.query(`grant set on parameter wal_compression to ${OWNER}`)
  await client.query(`create database ${OWNER} owner ${OWNER}`)
}

/**
 * Runs `initdb` in a temporary folder and moves it into place when complete, so that an interrupted start leaves
 * nothing half made.
 */
async function createCluster(cluster: string, dataDir: string, place: PostgresInstallation, log: WriteLogLine) {
  const home = chooseClusterHome(dataDir, place, log)
  const id = randomBytes(6).toString('hex')
  const made = join(home, `cluster.${id}`)
  const passwordFile = join(home, `password.${id}`)
  const password = () => randomBytes(24).toString('base64url')
  const memo: ClusterConnection = { port: await findFreePort(), password: password(), superuserPassword: password() }

  createPrivateFolder(made, place.identity)
  try {
    writePrivateFile(passwordFile, memo.superuserPassword, place)
    await promisify(execFile)(
      place.initdb,
      [
        '-D',
        made,
        '-U',
        'postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=icu',
        '--icu-locale=zh-Hans-CN',
        '--no-instructions',
      ],
      postgresSpawnOptions(place.identity),
    )
    writeClusterConnection(made, memo, place)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw new Error(`The database could not be created.\n${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  moveFolderIntoPlace(made, cluster)
}
