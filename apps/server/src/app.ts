import type { FastifyInstance } from 'fastify'
import { createLog } from '#kit/server/log.ts'
import { connectMqtt, startBroker, type Broker, type Messages } from '#kit/server/broker/index.ts'
import { createPool, setQueue, systemActor, unitOfWork } from '#kit/server/db.ts'
import { createJobWorker, enqueue, type JobContext, type JobWorker } from '#kit/server/jobs/index.ts'
import { kitJobs } from '#kit/server/bulk.ts'
import { kitRoutes } from '#kit/server/kit-routes.ts'
import { createLive } from '#kit/server/live.ts'
import { createRegistry, mountRooms } from '#kit/server/mount.ts'
import { openApi } from '#kit/server/open-api.ts'
import type { Route } from '#kit/server/room.ts'
import { createListener, createShared } from '#kit/server/shared/index.ts'
import { taskJobs } from '#kit/server/sheets/routes.ts'
import { createFileStore } from '#kit/server/storage/index.ts'
import type { Services } from '#kit/server/services.ts'
import type { Start } from './config.ts'
import { healthRoute } from './health.ts'
import { answerTheRest, createHttp } from './http.ts'
import { createAccess } from '#domains/identity/doors.ts'
import { createLabels } from '#domains/system/doors.ts'
import { createLogs } from '#domains/logs/doors.ts'
import { rooms } from './rooms.ts'
import { serveDocs, serveWeb } from './static.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export type App = {
  services: Services
  http: FastifyInstance
  routes: readonly Route[]
  jobs: JobWorker
  openApi: () => Record<string, unknown>
  /** Seeds what must exist; before `start`, once per start. */
  seed: () => Promise<void>
  /** Begins background work and listening. Returns the address. */
  start: () => Promise<string>
  stop: () => Promise<void>
}

/** Puts the product together on a migrated database. Opens nothing to the outside until `start`. */
export async function createApp(start: Start & { databaseUrl: string }, env: NodeJS.ProcessEnv = process.env, clock: () => Date = () => new Date()): Promise<App> {
  const log = createLog({ level: env.LOG_LEVEL ?? (start.isTest ? 'silent' : 'info') })
  const pool = createPool(start.databaseUrl, { max: Number(env.DB_POOL ?? 16) })
  const systemPool = createPool(start.databaseUrl, { max: 6, role: 'store_platform' })
  for (const one of [pool, systemPool]) one.on('error', (err) => log.warn({ err }, 'a database connection was lost'))
  const listener = createListener(systemPool, log)
  const shared = createShared(systemPool, { redisUrl: env.REDIS_URL || undefined, log, listener })
  const files = createFileStore(env, start.dataDir)
  await files.prepare()
  const registry = createRegistry(rooms)
  const services: Services = {
    config: start, log, pool, systemPool, shared, files, registry, now: clock, extra: {},
    live: await createLive(start.databaseUrl, log),
    unit: (bound, work, actor = systemActor) => unitOfWork(pool, bound, actor, work),
    access: undefined as never, labels: undefined as never, logs: undefined as never,
  }
  services.logs = createLogs(services)
  services.labels = createLabels(services)
  services.access = createAccess(services)
  setQueue({ enqueue: (query, job) => enqueue(query as never, job as never) as unknown as Promise<void> })
  const jobs = createJobWorker({ pool: systemPool, jobs: [...kitJobs, ...taskJobs, ...rooms.flatMap((room) => room.jobs ?? [])].map((job) => ({ ...job, run: (payload: unknown, context: JobContext) => job.run(payload, { ...context, services }) })), listener, log, leaseMs: Number(env.JOB_LEASE ?? 20) * 1000 })

  const http = await createHttp(services, start.isTest ? 0 : start.generalPerMinute)
  const parts: { broker?: Broker; messages?: Messages; stops: (() => Promise<void>)[] } = { stops: [] }
  const live: Route = {
    method: 'GET', path: '/api/live', title: { zh: '实时消息', en: 'Live events' }, can: { signedIn: 'each message names who may hear it' }, tx: false,
    handle: async (call) => call.reply({ take: (response) => services.live.join(call.caller, response) }),
  }
  const routes = mountRooms(http, services, [...kitRoutes, live, healthRoute(services, () => ({ jobs, messages: parts.messages }))])
  const document = () => openApi(registry, routes, packageJson.version)
  if (!start.isTest) {
    await serveWeb(http)
    await serveDocs(http, document)
  }
  answerTheRest(http, new Set(routes.map((route) => route.path)))

  return {
    services, http, routes, jobs, openApi: document,
    seed: async () => {
      for (const room of rooms) {
        if (room.seed) await services.unit({ tenantId: '000000', across: `seed of ${room.name}` }, (db) => room.seed!(db, services))
      }
    },
    start: async () => {
      if (env.MQTT_URL) parts.messages = await connectMqtt(env.MQTT_URL, { log, clientId: undefined })
      else if (!start.isTest) {
        const authenticate = services.extra.authenticateDevice as Parameters<typeof startBroker>[0]['authenticate'] | undefined
        parts.broker = await startBroker({ authenticate: authenticate ?? (async () => null), port: Number(env.MQTT_PORT ?? 0), log } as never)
        parts.messages = await connectMqtt(parts.broker.url, { log })
      }
      services.extra.messages = parts.messages
      for (const room of rooms) {
        const stop = await room.start?.(services)
        if (stop) parts.stops.push(stop)
      }
      if (!start.isTest) await jobs.start()
      await http.ready()
      return start.isTest && start.port === 0 && start.host === 'inject' ? '' : http.listen({ port: start.port, host: start.host })
    },
    stop: async () => {
      await services.live.stop()
      await http.close()
      await jobs.stop(3000)
      for (const stop of parts.stops.reverse()) await stop()
      await parts.messages?.close()
      await parts.broker?.close()
      await shared.close()
      await listener.close()
      await pool.end()
      await systemPool.end()
    },
  }
}
