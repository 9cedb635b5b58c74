import type { FastifyInstance } from 'fastify'
import { createLog } from '#kit/server/log.ts'
import { connectMqtt, startBroker, type Broker, type Messages } from '#kit/server/broker/index.ts'
import { createPool, setQueue, systemActor, unitOfWork, upgrade } from '#kit/server/database/db.ts'
import { createJobWorker, enqueue, type JobContext, type JobWorker } from '#kit/server/jobs/index.ts'
import { kitJobs } from '#kit/server/lists/bulk.ts'
import { kitRoutes } from '#kit/server/request/kit-routes.ts'
import { createLive } from '#kit/server/live.ts'
import { createRegistry, mountRooms } from '#kit/server/request/mount.ts'
import { openApi } from '#kit/server/request/open-api.ts'
import { startPulse } from '#kit/server/database/pulse.ts'
import type { Route } from '#kit/server/room.ts'
import { createListener, createShared } from '#kit/server/shared/index.ts'
import { taskJobs } from '#kit/server/sheets/routes.ts'
import { createFileStore } from '#kit/server/storage/index.ts'
import type { GroundServices, Services } from '#kit/server/services.ts'
import { createSlots } from '#kit/server/slots.ts'
import { numberOf, type Start } from './config.ts'
import { watchDisk, type Disk } from './disk.ts'
import { healthRoute } from './health.ts'
import { answerTheRest, createHttp } from './http.ts'
import { createAccess } from '#domains/identity/doors.ts'
import { createLabels } from '#domains/system/doors.ts'
import { createLogs } from '#domains/logs/doors.ts'
import { rooms } from './rooms.ts'
import { serveDocs, serveWeb } from './static.ts'
import { storyRoutes } from './stories/people.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export type App = {
  services: Services
  http: FastifyInstance
  routes: readonly Route[]
  jobs: JobWorker
  openApi: () => Record<string, unknown>
  /** Seeds what must exist; before `start`, once per start. Answers what an upgrade brought, a sentence each. */
  seed: () => Promise<string[]>
  /** Begins background work and listening. Returns the address. */
  start: () => Promise<string>
  stop: () => Promise<void>
}

/** Puts the product together on a migrated database. Opens nothing to the outside until `start`. */
export async function createApp(
  start: Start & { databaseUrl: string },
  env: NodeJS.ProcessEnv = process.env,
  clock: () => Date = () => new Date(),
): Promise<App> {
  const log = createLog({ level: env.LOG_LEVEL || (start.isTest ? 'silent' : 'info') })
  const pool = createPool(start.databaseUrl, { max: numberOf(env, 'DB_POOL') })
  const systemPool = createPool(start.databaseUrl, { max: 6, role: 'store_platform' })
  for (const one of [pool, systemPool]) one.on('error', (err) => log.warn({ err }, 'a database connection was lost'))
  const listener = createListener(systemPool, log)
  const shared = createShared(systemPool, { redisUrl: env.REDIS_URL || undefined, log, listener })
  const files = createFileStore(env, start.dataDir)
  await files.prepare()
  const registry = createRegistry(rooms)
  const ground: GroundServices = {
    config: start,
    log,
    pool,
    systemPool,
    shared,
    files,
    registry,
    now: clock,
    slots: createSlots(),
    live: await createLive(listener, log),
    unit: (bound, work, actor = systemActor) => unitOfWork(pool, bound, actor, work),
  }
  const services: Services = Object.assign(ground, {
    logs: createLogs(ground),
    labels: createLabels(ground),
    access: createAccess(() => services),
  })
  setQueue({ enqueue: (query, job) => enqueue(query, job as never) as unknown as Promise<void> })
  const jobs = createJobWorker({
    pool: systemPool,
    jobs: [...kitJobs, ...taskJobs, ...rooms.flatMap((room) => room.jobs ?? [])].map((job) => ({
      ...job,
      run: (payload: unknown, context: JobContext) => job.run(payload, { ...context, services }),
    })),
    listener,
    log,
    leaseMs: numberOf(env, 'JOB_LEASE') * 1000,
  })

  const http = await createHttp(services, start.isTest ? 0 : start.generalPerMinute)
  const parts: { broker?: Broker; messages?: Messages; disk?: Disk; stops: (() => Promise<void>)[] } = { stops: [] }
  const live: Route = {
    method: 'GET',
    path: '/api/live',
    title: { zh: '实时消息', en: 'Live events' },
    can: { signedIn: 'each message names who may hear it' },
    tx: false,
    handle: async (call) => {
      services.live.admit(call.caller)
      return call.reply({ take: (response) => services.live.join(call.caller, response) })
    },
  }
  const health = healthRoute(services, () => ({ jobs, messages: parts.messages, disk: parts.disk }))
  const routes = mountRooms(http, services, [...kitRoutes, ...storyRoutes, live, health])
  const document = () => openApi(registry, routes, packageJson.version)
  if (!start.isTest) {
    await serveWeb(http)
    await serveDocs(http, document)
  }
  answerTheRest(http, new Set(routes.map((route) => route.path)))

  return {
    services,
    http,
    routes,
    jobs,
    openApi: document,
    seed: async () => {
      const brought: string[] = []
      for (const room of rooms) {
        const line =
          room.seed &&
          (await services.unit(
            { tenantId: '000000', across: `seed of ${room.name}` },
            (db) => room.seed!(db, services),
            upgrade,
          ))
        if (line) brought.push(line)
      }
      return brought
    },
    start: async () => {
      if (env.MQTT_URL) parts.messages = await connectMqtt(env.MQTT_URL, { log, clientId: undefined })
      else if (!start.isTest) {
        // No device signs in at the broker yet.
        parts.broker = await startBroker({ authenticate: async () => null, port: numberOf(env, 'MQTT_PORT'), log })
        parts.messages = await connectMqtt(parts.broker.url, { log })
      }
      for (const room of rooms) {
        const stop = await room.start?.(services)
        if (stop) parts.stops.push(stop)
      }
      if (!start.isTest) {
        const pulse = startPulse({ url: start.databaseUrl, pools: [pool, systemPool], log })
        parts.stops.push(() => pulse.stop())
        const disk = watchDisk(services)
        parts.disk = disk
        services.noteRefusal = (error) => disk.note(error)
        services.isFull = () => disk.isFull()
        parts.stops.push(async () => disk.stop())
        await jobs.start()
      }
      await http.ready()
      return start.isTest && start.port === 0 && start.host === 'inject'
        ? ''
        : http.listen({ port: start.port, host: start.host })
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
