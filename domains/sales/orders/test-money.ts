import type { ModuleJob } from '#kit/server/module/module.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createRandom, type Random } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { Answer } from '#tests/support/server.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { placeOrder } from './place-order.ts'

const SUB = '1900000109'
/** Receivers of shares: two that work, one whose account is blocked, and a person who cannot give money back. */
export const RECEIVERS = ['1900000401', '1900000403', '1900000402', 'oPersonOne'] as const
const TROUBLED = RECEIVERS[2]
const PRICE = 500
const QUEUES = ['refund.send', 'share.move', 'vendor.event']
const BACKOFF_S = 5
const BUSY = 6

class Killed extends Error {}

/** The services of a process that dies at a random transaction, before or after it commits; later ones fail as well. */
function mortal(services: Services, random: Random): Services {
  const [end, isWritten] = [random.int(1, 5), random.chance(0.5)]
  let count = 0
  const unit: Services['unit'] = async (...ask) => {
    count++
    if (count > end || (count === end && !isWritten)) throw new Killed()
    const done = await services.unit(...ask)
    if (count >= end) throw new Killed()
    return done
  }
  return Object.create(services, { unit: { value: unit } }) as Services
}

type Due = { id: string; queue: string; payload: object; attempts: number }

/** Orders that were paid over WeChat Pay, and all that can happen to their money. */
export async function testMoney(seed: number) {
  const random = createRandom(seed)
  const ground = await testWechat()
  const { tenants, wechat } = ground
  const { tenantId, admin } = tenants.north
  const shopId = tenants.north.shops[0]!
  const goodId = (await tenants.good(tenants.north, shopId)).id
  await tenants.receive(tenants.north, shopId, goodId, 900_000)
  const merchant = { name: '商户', merchantNo: 'M1', type: 'enterprise', status: 1, shopIds: [shopId], subMchid: SUB }
  await tenants.must(
    tenants.call(admin, 'POST', '/api/merchant/merchantInfo/submit', {
      body: { ...merchant, feeRate: '0.60', shareRatio: '30.00' },
    }),
  )
  for (const account of RECEIVERS) wechat.world.receivers.add(`${SUB}/${account}`)
  wechat.world.troubled.set(TROUBLED, 'ACCOUNT_ABNORMAL')
  /** Fills all balances, so that nobody lacks money unless a test wants it. */
  const fill = () => {
    for (const account of [SUB, ...RECEIVERS]) wechat.world.balances.set(account, 100_000_000)
  }
  fill()

  const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
  const post = (path: string, ask: { body?: object; query?: Record<string, unknown> }): Promise<Answer> =>
    tenants.call(admin, 'POST', `/api/${path}`, ask)
  const jobs = new Map<string, ModuleJob>(
    tenants.services.registry.modules.flatMap((module) => module.jobs ?? []).map((job) => [job.queue, job]),
  )
  const pool = tenants.services.systemPool
  const signal = new AbortController().signal
  const now = () => tenants.services.now()
  /** Requests that moved money, counted by kind and number. */
  const moneyRequests = new Map<string, number>()
  let kills = 0

  const runJob = async ({ id, queue, payload, attempts }: Due, deadly: number): Promise<void> => {
    const services = random.chance(deadly) ? mortal(tenants.services, random) : tenants.services
    try {
      await jobs.get(queue)!.run(payload, { tenantId, services, signal, jobId: id, attempt: attempts + 1 })
      // As the worker does: what was enqueued while it ran runs once more.
      await pool.query(
        `with ended as (update job set state = 'done' where id = $1 returning *)
          insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
          select tenant_id, queue, payload, dedupe_key, again_at, max_attempts from ended where again_at is not null`,
        [id],
      )
    } catch (error) {
      if (error instanceof Killed) kills++
      const again = new Date(now().getTime() + BACKOFF_S * 1000)
      await pool.query(
        `update job set state = 'asked', attempts = attempts + 1, run_at = $2, last_error = $3 where id = $1`,
        [id, again, String(error).slice(0, 300)],
      )
    }
  }
  const take = async (): Promise<Due[]> => {
    const { rows } = await pool.query<Due>(
      `update job set state = 'running', again_at = null
        where id in (select id from job where tenant_id = $1 and queue = any($2)
        and state = 'asked' and run_at <= $3 order by md5(id::text || $4) limit 500)
        returning id::text, queue, payload, attempts`,
      [tenantId, QUEUES, now(), String(random.int(1, 1e9))],
    )
    return rows
  }
  const note = () => {
    for (const { method, path, body, status } of wechat.calls.splice(0)) {
      if (method !== 'POST' || status !== 200) continue
      const no: unknown = body.out_refund_no ?? body.out_return_no ?? body.out_order_no
      if (no) moneyRequests.set(`${path} ${String(no)}`, (moneyRequests.get(`${path} ${String(no)}`) ?? 0) + 1)
    }
  }

  let made = 0
  return {
    ...ground,
    random,
    tenantId,
    unit,
    post,
    moneyRequests,
    fill,
    kills: () => kills,
    notifyUrl: `${tenants.server.url}${ground.notifyPath}`,
    /** An order of `pieces` at 5.00 each, paid by WeChat Pay. */
    order: async (pieces: number) => {
      const total = pieces * PRICE
      const transactionNo = `4200${String(++made).padStart(12, '0')}`
      const line = { goodId, upc: 'G', name: '可乐', price: PRICE, quantity: pieces, discount: 0, amount: total }
      const placed = await unit((db) =>
        placeOrder(db, {
          shopId,
          source: 'register',
          type: 'store',
          lines: [line],
          payAmount: total,
          payType: 'wechat',
          payTime: formatShanghaiTime(now()),
          transactionNo,
        }),
      )
      const known = { transactionId: transactionNo, outTradeNo: placed.orderNo!, subMchid: SUB, total }
      const payment = wechat.know({ ...known, isSharing: true })
      const [{ id: detailId }] = (await unit((db) =>
        db.query<{ id: string }>(sql`select id from shopping_order_detail where tenant_id = ${tenantId}
          and order_id = ${placed.id}`),
      )) as [{ id: string }]
      return { id: placed.id, orderNo: placed.orderNo!, transactionNo, total, pieces, detailId, payment }
    },
    /** Runs due jobs in parallel, some of them in processes that die. Returns how many were due. */
    work: async (deadly = 0): Promise<number> => {
      const due = await take()
      let next = 0
      const worker = async () => {
        while (next < due.length) await runJob(due[next++]!, deadly)
      }
      await Promise.all(Array.from({ length: BUSY }, worker))
      note()
      return due.length
    },
    /** Seconds until the next job is due; undefined when there is none. */
    nextIn: async (): Promise<number | undefined> => {
      const { rows } = await pool.query<{ at: number | null }>(
        `select extract(epoch from min(run_at))::float8 as at from job where tenant_id = $1 and queue = any($2)
          and state = 'asked'`,
        [tenantId, QUEUES],
      )
      const at = rows[0]?.at
      return at ? Math.max(0, Math.ceil(at - now().getTime() / 1000)) : undefined
    },
  }
}

export type TestMoney = Awaited<ReturnType<typeof testMoney>>
export type PaidOrder = Awaited<ReturnType<TestMoney['order']>>
