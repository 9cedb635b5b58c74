import { createSlots } from '#kit/server/base/slots.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { openPool } from '#kit/server/database/connections.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createPool, systemActor, unitOfWork } from '#kit/server/database/db.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { createModuleRegistry, mountModules } from '#kit/server/mount/mount.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { schemaOf, schemaSql, tableOfResource } from '#kit/server/database/schema.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { kitTables } from '#kit/server/mount/kit-tables.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import type { ModuleDefinition } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'

type Modules = readonly ModuleDefinition[]

export type SampleApp = {
  app: FastifyInstance
  services: Services
  owner: pg.Pool
  callers: Map<string, Caller>
  stop: () => Promise<void>
}

/**
 * Starts the kit on an empty database, with the test's own modules and callers given by token. For tests of the kit.
 */
export async function startSampleApp(url: string, modules: Modules, emptyFolder: URL): Promise<SampleApp> {
  await migrate(url, emptyFolder)
  const owner = openPool({ connectionString: url, max: 2 })
  const registry = createModuleRegistry(modules)
  await owner.query(
    schemaSql(
      schemaOf([
        ...kitTables,
        ...[...registry.served.values()].map(({ resource }) => tableOfResource(resource)),
        ...modules.flatMap((module) => module.tables ?? []),
      ]),
    ),
  )

  const pool = createPool(url, { max: 8 })
  const callers = new Map<string, Caller>()

  const services = {
    config: { isTest: true },
    log: createLog({ level: 'silent' }),
    pool,
    systemPool: pool,
    registry,
    now: () => new Date(),
    slots: createSlots(),
    shared: { subscribe: async () => async () => {}, increment: async () => 1 },
    access: {
      callerOf: async (token: string) => callers.get(token),
      again: async (caller: Caller) => [...callers.values()].find((one) => one.userId === caller.userId),
      isOpen: async () => true,
      openSessions: async (sessions: readonly Caller[]) => new Set(sessions.map(({ sessionId }) => sessionId)),
      callerOfSession: async ({ userId }: Caller) => [...callers.values()].find((one) => one.userId === userId),
      guardedPaths: async () => [],
      clientOf: async () => undefined,
      terminalOf: async () => undefined,
    },
    labels: {
      ready: async () => {},
      dict: (_t: string, _f: unknown, key: unknown) => `word ${String(key)}`,
      hasKey: (_t: string, _f: unknown, key: string) => key !== '99',
      entries: () => [],
      region: (code: string) => (code === '330106' ? '浙江省/杭州市/西湖区' : ''),
      regionAt: () => undefined,
    },
    logs: { operation: () => {}, error: () => {} },
    unit: ((bound, work, actor = systemActor) => unitOfWork(pool, bound, actor, work)) as Services['unit'],
  } as unknown as Services

  const app = Fastify({ routerOptions: { querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)) } })
  mountModules(app, services, kitRoutes)

  return {
    app,
    services,
    owner,
    callers,
    stop: async () => {
      await app.close()
      await pool.end()
      await owner.end()
    },
  }
}

export const createSampleCaller = (caller: Partial<Caller>): Caller => ({
  ...anonymousCaller,
  userId: '1',
  tenantId: '100001',
  ...caller,
})
