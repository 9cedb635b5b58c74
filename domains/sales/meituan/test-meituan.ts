import { type Db, raw, sql } from '#kit/server/database/db.ts'
import type { ModuleJob } from '#kit/server/module/module.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

const MINUTE = 60_000

/** The part of the simulator used here; tests start it. */
type Simulated = {
  endpoint: string
  know: (appNo: string, app: { secret: string; callbackUrl: string }) => void
  close: () => Promise<void>
}

/** Test tenants with an account at the simulator, whose shops can be opened there. */
export async function createMeituanTestTenants<T extends Simulated>(start: (now: () => number) => Promise<T>) {
  // The database uses its own clock for jobs it enqueues, so this clock runs ahead of it.
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const [tenants, simulator] = await Promise.all([
    createTestTenants({ now: () => new Date(now()), listen: true }),
    start(now),
  ])

  const { tenantId, admin, shops } = tenants.north
  const appNo = '1001'
  const platform = await tenants.server.as('admin')
  const callbackUrl = `${tenants.server.url}/api/meituan/callback`
  simulator.know(appNo, { secret: 'demo-secret', callbackUrl })

  const account = {
    tenantId,
    name: '美团',
    platform: 'meituan',
    appKey: appNo,
    appSecret: 'demo-secret',
    baseUrl: simulator.endpoint,
    callbackUrl,
    perSecond: 1_000,
    status: 1,
  }
  await tenants.must(tenants.call(platform, 'POST', '/api/thirdparty/thirdApi/submit', { body: account }))
  const call = (path: string, body: object) =>
    tenants.must(tenants.call(admin, 'POST', `/api/meituan/${path}`, { body }))
  const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
  const rows = (table: string, where = sql`true`) =>
    unit((db) =>
      db.query(sql`select * from ${sqlName(table)} r where tenant_id = ${tenantId} and ${where} order by id`),
    )
  const world = {
    tenants,
    meituan: simulator,
    tenantId,
    appNo,
    callbackUrl,
    shopId: shops[0]!,
    now: () => new Date(now()),
    pass: (ms: number) => void (offsetMs += ms),
    call,
    unit,
    rows,
    ...createRunner(tenants, tenantId, now, (ms) => (offsetMs += ms)),
    /** Opens one of our shops at the platform. */
    openShop: async (more: object = {}) => {
      const draft = { shopId: shops[0], name: '一号店', phone: '0571-88000000', address: '文二西路 1 号', ...more }
      const body = { ...draft, longitude: 120.12, latitude: 30.28, shippingTime: '08:00-22:00' }
      const { id } = await call('meituanShopInfo/submit', body)
      await tenants.must(tenants.call(admin, 'POST', '/api/meituan/meituanShopInfo/apply', { query: { id } }))
      await world.run()
      offsetMs += MINUTE
      return id as string
    },
    /** Puts one of our products on sale there. */
    offer: async (meituanShopId: string, pieces: number, draft: Record<string, unknown> = {}) => {
      const good = await tenants.good(tenants.north, shops[0]!, draft)
      if (pieces) await tenants.receive(tenants.north, shops[0]!, good.id, pieces)
      const body = { meituanShopId, goodId: good.id, name: `商品${good.upc}`, salePrice: '5.00' }
      const { id } = await call('meituanSkuInfo/submit', body)
      await world.run()
      return { id: id as string, goodId: good.id, upc: good.upc }
    },
    close: () => Promise.all([tenants.close(), simulator.close()]),
  }
  return world
}

const NAMES = /^[a-z_]+$/
function sqlName(table: string) {
  if (!NAMES.test(table)) throw new Error(table)
  return raw(table)
}

type Due = { id: string; queue: string; payload: object }

/** Runs due jobs of the modules involved until none is left. `one` runs a single job. */
function createRunner(tenants: TestTenants, tenantId: string, now: () => number, pass: (ms: number) => void) {
  const jobs = new Map<string, ModuleJob>(
    tenants.services.registry.modules
      .filter(({ name }) => ['sales/delivery-platforms', 'sales/meituan', 'platform/external-apis'].includes(name))
      .flatMap((module) => module.jobs ?? [])
      .map((job) => [job.queue, job]),
  )
  const one = ({ id, queue, payload }: Due): Promise<void> => {
    const signal = new AbortController().signal
    return jobs.get(queue)!.run(payload, { tenantId, services: tenants.services, signal, jobId: id, attempt: 1 })
  }
  /** Takes due jobs out of the queue. */
  const take = async (max = 20): Promise<Due[]> => {
    const { rows } = await tenants.services.systemPool.query<Due>(
      `update job set state = 'done' where id in (select id from job where tenant_id = $1 and queue = any($2)
        and state = 'asked' and run_at <= $3::timestamptz order by id limit $4) returning id::text, queue, payload`,
      [tenantId, [...jobs.keys()], new Date(now()).toISOString(), max],
    )
    return rows
  }
  const run = async (): Promise<string[]> => {
    const errors: string[] = []
    for (let idle = 0; ;) {
      const due = await take()
      // Collected jobs become due a moment later.
      if (!due.length && ++idle > 2) return errors
      if (due.length) idle = 0
      else pass(1_000)
      for (const job of due) await one(job).catch((error: unknown) => errors.push(String(error)))
    }
  }
  return { run, take, one }
}
