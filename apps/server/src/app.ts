import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createLog } from '#kit/server/base/log.ts'
import {
  connectMqtt,
  createBrokerAccess,
  listenAsLeader,
  type Broker,
  type BrokerLink,
} from '#kit/server/broker/index.ts'
import { createPool, systemActor, unitOfWork, upgradeActor } from '#kit/server/database/db.ts'
import { createJobWorker, type JobContext, type JobWorker } from '#kit/server/jobs/index.ts'
import { kitJobs } from '#kit/server/lists/bulk.ts'
import { shareProbeCountsAcrossProcesses } from '#kit/server/query/enumeration-limit.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { createLiveStreams } from '#kit/server/live/live.ts'
import { createProcessMetrics } from '#kit/server/meters/index.ts'
import { createUpcomingPartitions, enableOnDemandPartitions } from '#kit/server/database/partition-maintenance.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { createModuleRegistry, mountModules } from '#kit/server/mount/mount.ts'
import { buildOpenApiDocument, buildOpenApiText } from '#kit/server/mount/open-api.ts'
import { startHealthCheck, type HealthCheck } from '#kit/server/database/health-check.ts'
import type { Route } from '#kit/server/module/module.ts'
import { createPostgresListener, createSharedStore, type PostgresListener } from '#kit/server/shared/index.ts'
import { backgroundTaskJobs } from '#kit/server/sheets/routes.ts'
import { createFileStore, type FileStore } from '#kit/server/storage/index.ts'
import type { BaseServices, Services } from '#kit/server/module/services.ts'
import { createSlots } from '#kit/server/base/slots.ts'
import { isSimulationEnabled, readEnvironmentNumber, type StartConfig } from './config.ts'
import { watchDiskSpace, type DiskMonitor } from './disk.ts'
import { createConnectionDrain } from './drain.ts'
import { createHealthRoutes } from './health.ts'
import { registerNotFoundHandler, createHttpServer } from './http.ts'
import { brokerHookSecretSlot } from '#domains/devices/device-messaging/api.ts'
import { createAccessService } from '#domains/platform/identity/api.ts'
import { createCustomFieldCache } from '#domains/platform/custom-fields/api.ts'
import { createLabelLookup } from '#domains/platform/system/api.ts'
import { createLogWriters } from '#domains/platform/logs/api.ts'
import { registerProcessMetrics } from './process-metrics.ts'
import { productModules } from './modules.ts'
import { watchInstallationHealth } from './warnings.ts'
import { serveApiDocs, serveWebApp } from './static.ts'
import { registerBrokerMetrics, startEmbeddedBroker } from './shared-parts.ts'
import { demoSignInRoutes } from './demo/people.ts'
import { deviceSimulationModule } from './demo/simulation-module.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export type ServerApp = {
  services: Services
  http: FastifyInstance
  routes: readonly Route[]
  jobs: JobWorker
  openApi: () => Record<string, unknown>
  /** Runs the modules' seeds, once and before `start`. Returns a sentence for each thing an upgrade added. */
  seed: () => Promise<string[]>
  /** Starts the background work and listens. Returns the address. */
  start: () => Promise<string>
  stop: () => Promise<void>
}

/** Assembles the product on a migrated database. Listens on no port until `start`. */
export async function createServerApp(
  start: StartConfig & { databaseUrl: string },
  env: NodeJS.ProcessEnv = process.env,
  clock: () => Date = () => new Date(),
): Promise<ServerApp> {
  const { services, listener } = await layGround(start, env, clock)
  const jobs = jobsOf(services, listener, readEnvironmentNumber(env, 'JOB_LEASE') * 1000)
  const running: Running = { stops: [] }
  const isLead = start.seat?.isLead ?? true
  const http = await createHttpServer(services, start.isTest ? 0 : start.generalPerMinute, start.seat?.count)
  const drain = createConnectionDrain(http)
  const { isOn: isStopping } = drain
  registerProcessMetrics(http, services, { isLead })
  start.seat?.measures(services.meters.measure)
  const parts = () => ({ jobs, isLead, isStopping, messages: running.link?.messages, ...running })
  const otherRoutes = [...kitRoutes, ...demoSignInRoutes, liveRoute, ...createHealthRoutes(services, parts)]
  const routes = mountModules(http, services, otherRoutes)
  const document = () => buildOpenApiDocument(services.registry, routes, packageJson.version)
  if (!start.isTest) {
    await serveWebApp(http)
    await serveApiDocs(http, () => buildOpenApiText(services.registry, routes, packageJson.version))
  }
  registerNotFoundHandler(http, new Set(routes.map((route) => route.path)))

  return {
    services,
    http,
    routes,
    jobs,
    openApi: document,
    seed: () => seedModules(services),
    start: async () => {
      await connectDevices(running, start, env, services)
      await startModules(running, services)
      if (!start.isTest) {
        if (isLead) await createUpcomingPartitions(start.databaseUrl, tablesOfModules(productModules), services.now())
        watch(running, start, services)
        if (isLead) await lead(running, jobs, services)
      }
      await http.ready()
      return start.isTest && start.port === 0 && start.host === 'inject'
        ? ''
        : http.listen({ port: start.port, host: start.host })
    },
    stop: () =>
      (running.stopping ??= (async () => {
        await drain.begin(readEnvironmentNumber(env, 'DRAIN') * 1000)
        await services.live.stop()
        await drain.close()
        await jobs.stop(3000)
        await stopParts(running)
        await services.shared.close()
        await listener.close()
        await services.pool.end()
        await services.systemPool.end()
      })()),
  }
}

/** The parts that `start` creates and `stop` ends; `stops` run in reverse order. */
type Running = {
  broker?: Broker
  link?: BrokerLink
  disk?: DiskMonitor
  pulse?: HealthCheck
  stops: (() => Promise<void>)[]
  stopping?: Promise<void>
}

/** Creates the services that every module gets: database pools, files, shared store, module registry, access. */
async function layGround(
  config: StartConfig & { databaseUrl: string },
  env: NodeJS.ProcessEnv,
  now: () => Date,
): Promise<{ services: Services; listener: PostgresListener }> {
  const log = createLog({ level: env.LOG_LEVEL || (config.isTest ? 'silent' : 'info') })
  const { seat } = config
  const meters = createProcessMetrics({
    role: !seat ? 'only' : seat.isLead ? 'lead' : 'serving',
    version: packageJson.version,
    log,
    slowMs: readEnvironmentNumber(env, 'SLOW_STATEMENT_MS'),
    ...(seat && { gather: seat.gather }),
  })
  const { timed } = meters
  const pool = createPool(config.databaseUrl, { max: readEnvironmentNumber(env, 'DB_POOL'), timed })
  const systemPool = createPool(config.databaseUrl, { max: 6, role: 'store_platform', timed })

  for (const one of [pool, systemPool]) one.on('error', (err) => log.warn({ err }, 'a database connection was lost'))
  enableOnDemandPartitions([pool, systemPool], {
    url: config.databaseUrl,
    tables: tablesOfModules(productModules),
    log,
  })
  const listener = createPostgresListener(systemPool, log)
  const files = createFileStore(env, config.dataDir)
  await prepareFiles(files, log)
  // The simulation module is not registered at all on other installations: it has no route and no menu entry.
  const isPlayed = isSimulationEnabled(config.story, config.isTest ? { PRACTICE: env.PRACTICE || 'off' } : env)
  const ground: BaseServices = {
    config,
    log,
    pool,
    systemPool,
    shared: createSharedStore(systemPool, {
      redisUrl: env.REDIS_URL || undefined,
      log,
      listener,
      near: seat?.near,
    }),
    files,
    registry: createModuleRegistry(isPlayed ? [...productModules, deviceSimulationModule] : productModules),
    now,
    slots: createSlots(),
    live: await createLiveStreams(listener, log),
    meters,
    unit: (target, work, actor = systemActor) => unitOfWork(pool, target, actor, work),
  }
  shareProbeCountsAcrossProcesses(ground.shared)
  ground.own = createCustomFieldCache(ground)
  const services: Services = Object.assign(ground, {
    logs: createLogWriters(ground),
    labels: createLabelLookup(ground),
    access: createAccessService(() => services),
  })
  return { services, listener }
}

const AGAIN_MS = 15_000

/**
 * Prepares the file store. When a remote store fails with a 5xx or does not answer, the server starts without it and
 * tries again every 15 seconds. A refusal (4xx) or a local folder that cannot be created stops the start: the setting
 * is wrong. An error of a remote store has `$metadata`.
 */
async function prepareFiles(files: FileStore, log: Logger): Promise<void> {
  try {
    await files.prepare()
  } catch (err) {
    const { $metadata } = err as { $metadata?: { httpStatusCode?: number } }
    const isAway = $metadata !== undefined && ($metadata.httpStatusCode ?? 500) >= 500
    if (!isAway) throw err
    log.error({ err }, 'the file store does not answer; the server starts without it')
    setTimeout(() => void prepareFiles(files, log).catch(() => {}), AGAIN_MS).unref()
  }
}

/** Creates the worker for the kit's and all modules' jobs, each of which gets the services. */
function jobsOf(services: Services, listener: PostgresListener, leaseMs: number): JobWorker {
  const jobs = [...kitJobs, ...backgroundTaskJobs, ...productModules.flatMap((module) => module.jobs ?? [])].map(
    (job) => ({
      ...job,
      run: (payload: unknown, context: JobContext) => job.run(payload, { ...context, services }),
    }),
  )
  return createJobWorker({
    pool: services.systemPool,
    jobs,
    listener,
    log: services.log,
    onRun: services.meters.ran,
    leaseMs,
  })
}

const liveRoute: Route = {
  method: 'GET',
  path: '/api/live',
  title: { zh: '实时消息', en: 'Live events' },
  can: { signedIn: 'each message names who may hear it' },
  tx: false,
  handle: async ({ caller, services, reply }) => {
    services.live.admit(caller)
    return reply({ take: (response) => services.live.join(caller, response) })
  },
}

async function seedModules(services: Services): Promise<string[]> {
  const brought: string[] = []
  for (const module of services.registry.modules) {
    const line =
      module.seed &&
      (await services.unit(
        { crossTenantReason: `seed of ${module.name}` },
        (db) => module.seed!(db, services),
        upgradeActor,
      ))
    if (line) brought.push(line)
  }
  return brought
}

/**
 * Connects to the MQTT broker: MQTT_URL, or else the embedded broker, which is started. A test without MQTT_URL has
 * none.
 */
async function connectDevices(
  running: Running,
  { isTest, host, databaseUrl }: StartConfig & { databaseUrl: string },
  env: NodeJS.ProcessEnv,
  services: Services,
) {
  const { log, meters, systemPool } = services
  if (env.MQTT_HOOK_SECRET) services.slots.fill(brokerHookSecretSlot, env.MQTT_HOOK_SECRET)
  if (!env.MQTT_URL && !isTest) {
    running.broker = await startEmbeddedBroker(env, host, systemPool, log)
    registerBrokerMetrics(meters, running.broker)
  }
  const url = env.MQTT_URL || running.broker?.url
  if (!url) return
  // Two connections, since incoming messages wait while the intake is full: on a shared one, the acknowledgements of
  // our own messages would wait behind them.
  const [messages, subscriptions] = await Promise.all([connectMqtt(url, { log }), connectMqtt(url, { log })])
  running.stops.unshift(() => subscriptions.close())
  const { protocol, host: brokerHost } = new URL(url)
  services.link = running.link = {
    address: `${protocol}//${brokerHost}`,
    messages,
    access: createBrokerAccess(env, messages, log),
    listen: (intakes, begin) => listenAsLeader(intakes, begin, { databaseUrl, messages: subscriptions, log }),
  }
}

async function startModules(running: Running, services: Services): Promise<void> {
  for (const module of productModules) {
    const stop = await module.start?.(services)
    if (stop) running.stops.push(stop)
  }
}

/** Starts the database health check and the disk monitor, which let calls be refused before they fail. */
function watch(running: Running, { databaseUrl }: { databaseUrl: string }, services: Services): void {
  const { pool, systemPool, log } = services
  const healthCheck = startHealthCheck({ url: databaseUrl, pools: [pool, systemPool], log })
  const disk = watchDiskSpace(services)
  running.disk = disk
  running.pulse = healthCheck
  services.noteRefusal = (error) => disk.note(error)
  services.isFull = () => disk.isFull()
  running.stops.push(
    () => healthCheck.stop(),
    async () => disk.stop(),
  )
}

/** Starts what only one process of a machine does: the warnings of the installation and the jobs. */
async function lead(running: Running, jobs: JobWorker, services: Services): Promise<void> {
  const { stop } = watchInstallationHealth(services)
  running.stops.push(async () => stop())
  await jobs.start()
}

async function stopParts(running: Running): Promise<void> {
  for (const stop of running.stops.reverse()) await stop()
  await running.link?.access.close()
  await running.link?.messages.close()
  await running.broker?.close()
}
