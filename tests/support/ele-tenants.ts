import { enqueueSync } from '#domains/sales/delivery-platforms/api.ts'
import { raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { startEle } from '#simulators/ele/ele.simulator.ts'
import { createManualClock } from '#simulators/gateways/clock.ts'
import { createTestTenants } from './test-tenants.ts'

const SECRET = 'secret of a test'
const SOURCE = '60001'
const ROUNDS_MAX = 40

/**
 * Test tenants, the first with an account at a simulated Ele platform that sends callbacks. The clock is advanced by
 * hand.
 */
export async function createEleTestTenants({ start }: { start?: number } = {}) {
  const clock = createManualClock(start)
  const [tenants, ele] = await Promise.all([
    createTestTenants({ now: () => new Date(clock.now()), listen: true }),
    startEle({ clock }),
  ])
  const { tenantId, admin, shops } = tenants.north
  const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
  const call = (path: string, ask: object) => tenants.call(admin, 'POST', `/api/ele/${path}`, ask)
  const send = (path: string, body: object): Promise<any> => tenants.must(call(path, { body }))
  const act = (path: string, query: object): Promise<any> => tenants.must(call(path, { query }))
  const platform = await tenants.server.as('admin')
  const account = { name: '饿了么零售', platform: 'ele', appKey: SOURCE, appSecret: SECRET, status: 1 }
  const { id } = await tenants.must(
    tenants.call(platform, 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { ...account, tenantId, baseUrl: ele.url, perSecond: 1000 },
    }),
  )
  const callback = `${tenants.server.url}/api/ele/callback/${tenantId}-${id}`
  ele.world.accounts.set(SOURCE, { secret: SECRET, callback })

  /** Runs all waiting jobs, whatever time they are due, in rounds so that failed ones are retried. */
  async function run(rounds = ROUNDS_MAX): Promise<void> {
    // The scheduled search for changes that have no job yet.
    await unit((db) => enqueueSync(db, new Date(clock.now())))
    for (let n = 0; n < rounds; n++) {
      await ele.pushes.settled()
      const { rowCount } = await tenants.services.systemPool.query(
        `update job set run_at = clock_timestamp() where tenant_id = $1 and state = 'asked'`,
        [tenantId],
      )
      if (!rowCount && n) return
      await tenants.server.jobs.runDue()
    }
  }

  return {
    tenants,
    ele,
    clock,
    tenantId,
    admin,
    source: SOURCE,
    secret: SECRET,
    shopId: shops[0]!,
    unit,
    call,
    send,
    act,
    run,
    /** Runs the scheduled searches for changes nobody notified us of. */
    look: async (): Promise<void> => {
      await tenants.services.systemPool.query(
        `update job_schedule set next_at = clock_timestamp() where name in ('ele.watch', 'platform.poll')`,
      )
      await run()
    },
    rows: (table: string, where: Sql = sql`true`): Promise<any[]> =>
      unit((db) =>
        db.query(
          sql`select r.* from ${raw(`"${table}"`)} r where r.tenant_id = ${db.tenantId} and ${where} order by 1`,
        ),
      ),
    /** Applies for a shop at the platform and opens it. Returns its id. */
    openShop: async (more: object = {}): Promise<string> => {
      const draft = { shopId: shops[0], name: '北街1号店（超市便利）', categoryId: '101', phone: '0571-88000000' }
      const place = { address: '文二西路 1 号', longitude: 120.12, latitude: 30.28, businessTime: '08:00-22:00' }
      const made = await send('eleShopInfo/submit', { ...draft, ...place, ...more })
      await act('eleShopInfo/apply', { id: made.id })
      await run()
      clock.pass(ele.world.auditMs)
      await run()
      return made.id as string
    },
    /** Creates a product with so many pieces and offers it at the platform. */
    offer: async (eleShopId: string, pieces: number, draft: Record<string, unknown> = {}) => {
      const good = await tenants.good(tenants.north, shops[0]!, draft)
      if (pieces) await tenants.receive(tenants.north, shops[0]!, good.id, pieces)
      const made = await send('eleSkuInfo/submit', {
        eleShopId,
        goodId: good.id,
        name: `商品${good.upc}`,
        salePrice: '5.00',
      })
      await run()
      return { id: made.id as string, goodId: good.id, upc: good.upc }
    },
    close: () => Promise.all([tenants.close(), ele.close()]),
  }
}

export type EleTestTenants = Awaited<ReturnType<typeof createEleTestTenants>>
