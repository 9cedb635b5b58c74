import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { invalidateCashRegisterCache, issueKey } from '#domains/sales/point-of-sale/api.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { startPaymentChannel, type SimulatedChannel } from '#simulators/payments/payments.simulator.ts'
import { createRegister, type Register } from '#simulators/registers/register.ts'

const SALES = 1000
const tenantId = '100001'

let world: TestServer
let channel: SimulatedChannel
const dataDir = mkdtempSync(join(tmpdir(), 'store-kill-'))

beforeAll(async () => {
  world = await testServer({ storyDays: 2 })
  channel = await startPaymentChannel()
  // Marks the database as seeded, so that the server process below does not seed it again.
  await markDatabaseSeeded(world.databaseUrl)
}, 120_000)

afterAll(async () => {
  await killAll()
  await channel.close()
  await world.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const { start, killAll } = processesOf(() => ({
  databaseUrl: world.databaseUrl,
  dataDir,
  env: { PAYMENT_CHANNEL_URL: channel.url },
}))

const across = <R extends object>(statement: ReturnType<typeof sql>) =>
  world.services.unit({ crossTenantReason: 'test' }, (db) => db.query<R>(statement))

async function registersAt(url: string): Promise<Register[]> {
  const keys = await world.services.unit({ tenantId }, async (db) => {
    const rows = await db.query<{ id: string; sn: string }>(
      sql`select id, sn from cash_register where tenant_id = ${tenantId} order by sn limit 5`,
    )
    const out = []
    for (const { id, sn } of rows) out.push({ sn, secret: await issueKey(db, id) })
    return out
  })
  await invalidateCashRegisterCache(world.services)
  return keys.map((key, at) =>
    createRegister({
      ...key,
      url,
      random: createRandom(at + 1),
      customers: { prefix: `demo-${tenantId}-`, count: 150 },
    }),
  )
}

const sum = (registers: Register[], of: 'sold' | 'acknowledged' | 'unsent' | 'wrong' | 'refused' | 'sentLate') =>
  registers.reduce((total, register) => total + register.figures()[of], 0)

describe('a server that is killed', () => {
  it(
    'in the middle of a thousand sales loses none it acknowledged, doubles ' + 'none, and every ledger adds up',
    async () => {
      const first = await start()
      const registers = await registersAt(first.url)
      for (const register of registers) expect(await register.start()).toBe(true)
      const sellUntil = async (wanted: number) => {
        await Promise.all(
          registers.map(async (register) => {
            while (sum(registers, 'sold') < wanted) await register.sell()
          }),
        )
      }

      const selling = sellUntil(SALES)
      await vi.waitFor(() => expect(sum(registers, 'acknowledged')).toBeGreaterThan(SALES * 0.4), {
        timeout: 180_000,
        interval: 5,
      })
      await first.kill()
      await selling
      expect(sum(registers, 'unsent')).toBeGreaterThan(0)
      const acknowledgedBefore = sum(registers, 'acknowledged')

      const second = await start({ port: Number(new URL(first.url).port) })
      // A register repeats its heartbeat until all sales are sent; a server that has just started may be slow.
      await vi.waitFor(
        async () => {
          await Promise.all(registers.map((register) => register.beat()))
          expect(sum(registers, 'unsent')).toBe(0)
        },
        { timeout: 90_000, interval: 200 },
      )
      expect(sum(registers, 'sentLate')).toBeGreaterThanOrEqual(
        sum(registers, 'sold') - acknowledgedBefore - sum(registers, 'refused'),
      )
      expect(sum(registers, 'wrong')).toBe(0)

      const recorded = await across<{ orderNo: string; saleNo: string; n: number }>(
        sql`select order_no, sale_no from shopping_order where sale_no like '%-%'`,
      )
      const byNumber = new Map(recorded.map((row) => [row.orderNo, row.saleNo]))
      const acknowledged = registers.flatMap((register) => register.acknowledged())
      expect(acknowledged.length).toBe(sum(registers, 'sold') - sum(registers, 'refused'))
      for (const { orderNo, saleNo } of acknowledged) expect(byNumber.get(orderNo), saleNo).toBe(saleNo)
      expect(recorded.length).toBe(acknowledged.length)
      expect(
        await across(
          sql`select cash_register_id, sale_no from shopping_order where sale_no is not null group by 1, 2
          having count(*) > 1`,
        ),
      ).toEqual([])
      expect(await world.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])

      await second.kill()
    },
    480_000,
  )

  it('in the middle of a hundred refunds sends each once', async () => {
    const lin = await world.as('wu', { tenantId })
    const orders = await across<{ id: string }>(
      sql`select id from shopping_order where tenant_id = ${tenantId} and status = 2
        and pay_type in ('wechat', 'alipay') and transaction_no like 'SIM%' and pay_amount > 0 order by id limit 100`,
    )
    expect(orders).toHaveLength(100)
    const first = await start()
    const paidBefore = channel.paid.size
    await Promise.all(
      orders.map(async ({ id }) => {
        const { status } = await world.call(lin, 'POST', '/api/shop/refunds/now', {
          body: { orderId: id, full: true, reason: '测试', requestKey: `kill-${id}` },
        })
        expect(status).toBe(200)
      }),
    )
    await vi.waitFor(() => expect(channel.paid.size).toBeGreaterThan(paidBefore + 20), { timeout: 60_000, interval: 5 })
    await first.kill()
    await expireLeases(world.services.systemPool, 'refund/')

    const second = await start()
    await vi.waitFor(
      async () => {
        const [row] = await across<{ n: number }>(
          sql`select count(*)::int as n from refunds where request_key like 'kill-%' and status = 3`,
        )
        expect(row!.n).toBe(100)
      },
      { timeout: 90_000, interval: 200 },
    )
    expect(channel.paid.size).toBe(paidBefore + 100)
    expect(await world.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
    await second.kill()
  }, 300_000)
})
