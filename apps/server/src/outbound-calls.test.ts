import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CRASH_POINTS, playOutboundCall, type DeclaredCall } from '#tests/support/outbound-crashes.ts'
import { openStatesOf, outboundCalls } from '#kit/server/outbox/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { productModules } from './modules.ts'
import { testProduct, type Product } from './test-product.ts'

// Senders of every declared outbound call are killed. Modules test their vendors; here are states, fields and sweeps.

let product: Product
let tenantId: string
// Tests of the machinery declare calls of their own in the same process.
const jobs = new Set(productModules.flatMap((module) => module.jobs ?? []))
const calls = outboundCalls().filter(({ sendJob }) => jobs.has(sendJob))
let made = 0

beforeAll(async () => {
  product = await testProduct()
  tenantId = product.tenants[0]!.tenantId
}, 120_000)
afterAll(() => product.close())

/** Inserts rows of tables that are no family's; returns the id. */
const inserts: Record<string, () => Promise<string>> = {
  tally_back: async () => {
    const { served } = product.world.registry
    const [difference, merchant] = [
      await product.samples.insert(served.get('tallyDifference')!, tenantId),
      await product.samples.insert(served.get('merchantInfo')!, tenantId),
    ]
    const id = newId()
    await product.world.services.unit({ tenantId }, (db) =>
      db.run(sql`insert into tally_back (id, tenant_id, difference_id, merchant_id, transaction_no, order_no, out_no,
        paid, paid_fee, paid_time, state) values (${id}, ${tenantId}, ${difference.id}, ${merchant.id}, ${`T${id}`},
        'O', ${`TB${id}`}, 100, 0, now(), 'asked')`),
    )
    return id
  },
}

/** Inserts a row of a call that waits to be sent. */
async function queuedRow({ definition }: DeclaredCall): Promise<string> {
  const { rows, fields, states } = definition
  const insert = inserts[rows.name]
  if (insert) return insert()
  const served = product.world.registry.served.get(rows.name)!
  const nothing = [fields.nextTime, fields.expireTime, fields.leaseUntil, fields.sentTime]
  const empty = Object.fromEntries(
    nothing.flatMap((key) => (key && key in served.resource.fields ? [[key, null]] : [])),
  )
  const own = { ...(fields.attempts && { [fields.attempts]: 0 }), ...(rows.key && { [rows.key]: `row ${++made}` }) }
  const row = await product.samples.insert(served, tenantId, { ...empty, ...own, [fields.state]: states.queued })
  return String(row[rows.key ?? 'id'])
}

const stateOf = async ({ definition: { rows, fields } }: DeclaredCall, id: string): Promise<string | number> =>
  product.world.services.unit({ tenantId }, async (db) => (await rows.lock(db, id))[fields.state])

const jobsOf = async ({ definition: { queue } }: DeclaredCall, id: string): Promise<number> =>
  (
    await product.world.services.unit({ tenantId }, (db) =>
      db.query(sql`select from job where queue = ${queue} and dedupe_key = ${id} and state = 'asked'`),
    )
  ).length

it('calls of other systems are declared', () => {
  expect(calls.map(({ definition: { queue } }) => queue)).toEqual(
    expect.arrayContaining(['print.send', 'sms.send', 'wechat.message']),
  )
})

describe.each(calls.map((call) => [call.definition.queue, call] as const))('a call over %s', (_queue, call) => {
  const { states, find, isRepeatable } = call.definition
  const traits = [
    ...(find ? [{ canBeAsked: true, remembersNumbers: false }] : []),
    ...(isRepeatable ? [{ canBeAsked: false, remembersNumbers: true }] : []),
    ...(states.unknown ? [{ canBeAsked: false, remembersNumbers: false }] : []),
  ]

  it.each(CRASH_POINTS.flatMap((point) => traits.map((one) => [point, one] as const)))(
    'whose sender dies %s is done exactly once by a side of %o, or nobody knows and it is not sent again',
    async (point, side) => {
      const { services } = product.world
      const id = await queuedRow(call)
      const played = playOutboundCall(call, side)
      await played.runUntil(point, services, tenantId, id)
      expect(await stateOf(call, id)).toBe(states.sent)
      // Later than the lease of the sender that died.
      const later = new Date(services.now().getTime() + 120_000)
      await played.run({ ...services, now: () => later }, tenantId, id)
      const isFound = side.canBeAsked || side.remembersNumbers
      expect(await stateOf(call, id)).toBe(isFound ? states.done : states.unknown)
      expect(played.acts).toHaveLength(isFound || point !== 'before sending' ? 1 : 0)
    },
  )

  it('that has no job gets one by its sweep in every state that waits, and in no other', async () => {
    const { services } = product.world
    const context = { services, tenantId, signal: new AbortController().signal, jobId: '1', attempt: 1 }
    for (const state of [...openStatesOf(states), states.done, states.failed]) {
      const id = await queuedRow(call)
      await services.unit({ tenantId }, async (db) => {
        const { rows, fields } = call.definition
        await rows.update(db, await rows.lock(db, id), { [fields.state]: state })
      })
      await call.sweepJob.run({}, context)
      expect([state, await jobsOf(call, id)]).toEqual([state, openStatesOf(states).includes(state) ? 1 : 0])
    }
  })
})
