import cluster from 'node:cluster'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { readEnvironmentNumber, readConfig, type StartConfig } from './config.ts'
import { runWorkerProcess } from './worker.ts'
import { waitForWebBuild } from './web-build.ts'
import { poolSizePerWorker, startWorkerProcesses, chooseWorkerCount, type WorkerProcesses } from './workers.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const log = (line: string) => console.log(line)
// Whoever reads the output may be gone, and the disk it goes to may be full: neither stops the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// A rejected promise nobody handled is logged, and does not end the server for everybody.
process.on('unhandledRejection', (error) => console.error(error))

/** Starts the embedded database, unless DATABASE_URL names one, and applies the migrations. */
async function startDatabase(
  config: StartConfig,
): Promise<{ database: EmbeddedPostgres | undefined; databaseUrl: string }> {
  const dataDir = `${config.dataDir}/postgres`
  const backupDir = process.env.BACKUP_DIR ?? ''
  const database = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir, backupDir, log: log })
  const databaseUrl = config.databaseUrl ?? database!.url
  const applied = await migrate(databaseUrl, MIGRATIONS)
  if (applied.length > 5) log(`Database brought up to date in ${applied.length} steps, the last ${applied.at(-1)}`)
  else if (applied.length) log(`Database brought up to date: ${applied.join(', ')}`)
  return { database, databaseUrl }
}

const SENTENCES: Record<string, string> = {
  '28P01': 'The database refuses the password of DATABASE_URL.',
  '28000': 'The database refuses the login of DATABASE_URL: look at its pg_hba.conf and whether the login exists.',
  '3D000': 'The database that DATABASE_URL names does not exist on that server.',
  '42501': 'The login of DATABASE_URL lacks a right it needs: it has to own the schema and may create roles.',
  ECONNREFUSED: 'Nobody answers where DATABASE_URL says the database is: the connection was refused.',
  ENOTFOUND: 'The host that DATABASE_URL names is not known.',
  ETIMEDOUT: 'The database does not answer where DATABASE_URL says it is.',
}

/** Returns what to correct in DATABASE_URL for an error of the start; undefined for any other error. */
function sentenceOf(error: unknown): string | undefined {
  for (let one = error as { code?: string; cause?: unknown } | undefined; one; one = one.cause as typeof one) {
    const sentence = process.env.DATABASE_URL && SENTENCES[String(one.code)]
    if (sentence) return sentence
  }
  return undefined
}

/** Starts the product. What was started is stopped in reverse order. */
async function main(config: StartConfig): Promise<void> {
  const stops: (() => Promise<void>)[] = []
  let isStopping = false

  const stop = async (code: number) => {
    if (isStopping) return
    isStopping = true
    const hard = setTimeout(() => process.exit(code), 15_000 + readEnvironmentNumber(process.env, 'DRAIN') * 1000)
    for (const end of stops.reverse()) await end().catch((error: unknown) => console.error(error))
    clearTimeout(hard)
    process.exit(code)
  }

  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  try {
    const count = chooseWorkerCount(readEnvironmentNumber(process.env, 'WORKERS'), !config.databaseUrl)
    // The worker process loads the code while the database starts.
    if (count > 1) {
      const workers = startWorkerProcesses({ count, log, onFailure: () => void stop(1) })
      // Pushed before the database: when its start fails, a worker that was just forked is ended with it.
      stops.push(() => workers.stop())
      const { database, databaseUrl } = await startDatabase(config)
      if (database) stops.push(() => database.stop())
      stops.push(...(await lead(workers, { config, count, databaseUrl })))
      if (!(await waitForWebBuild())) return await stop(1)
      workers.open()
    } else {
      const [{ database, databaseUrl }, { startServerProcess: serve }] = await Promise.all([
        startDatabase(config),
        import('./serve.ts'),
      ])
      if (database) stops.push(() => database.stop())
      const whenOpen = async () => (await waitForWebBuild()) || stop(1)
      const { app, stop: end } = await serve({ ...config, databaseUrl, whenOpen })
      stops.push(end)
      const { serveMetrics } = await import('./metrics.ts')
      stops.push(await serveMetrics(app.services.meters.all))
    }
  } catch (error) {
    if (!isStopping) console.error(sentenceOf(error) ?? error)
    await stop(1)
  }
}

/**
 * Starts what the worker processes share, the broker and the metrics, and passes its addresses on to them. Returns the
 * functions that end it.
 */
async function lead(
  workers: WorkerProcesses,
  { config, count, databaseUrl }: { config: StartConfig; count: number; databaseUrl: string },
): Promise<(() => Promise<void>)[]> {
  const [
    { startMachineSharedServices: shareParts, registerBrokerMetrics: metersOfBroker },
    { createProcessMetrics: createMeters },
    { serveMetrics },
  ] = await Promise.all([import('./shared-parts.ts'), import('#kit/server/meters/index.ts'), import('./metrics.ts')])
  const parts = await shareParts(databaseUrl, config)
  const pool = readEnvironmentNumber(process.env, 'DB_POOL')
  const DB_POOL = String(config.databaseUrl ? pool : poolSizePerWorker(pool, count))
  workers.serve({ databaseUrl, env: { ...parts.env, DB_POOL }, began: performance.timeOrigin })
  const meters = metersOfBroker(createMeters({ role: 'first' }), parts.broker)
  workers.gathering.owns(async () => [await meters.measure()])
  return [() => parts.stop(), () => workers.stop(), await serveMetrics(workers.gathering.gather)]
}

const failed = (error: unknown) => {
  console.error((error as Error).message)
  process.exit(1)
}

try {
  const config = readConfig(process.argv.slice(2), process.env)
  ;(cluster.isWorker ? runWorkerProcess(config) : main(config)).catch(failed)
} catch (error) {
  failed(error)
}
