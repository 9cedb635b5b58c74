// Checks after `npm run chaos`: what was acknowledged exists exactly once, and every sum follows from its rows.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '#kit/server/database/db.ts'
import { figuresOf } from '#tests/support/figures.ts'
import type { Register } from '#simulators/registers/register.ts'
import { acknowledged, crossTenantReason, counts, denied, sold, steadily, twins, type Ending } from './chaos-trade.ts'
import type { World } from './chaos-world.ts'

/** Acknowledged operations needed of each kind; with fewer, nothing was tested. */
const LEAST = 10

/** Waits until registers have sent all sales and every refund is paid. */
export async function waitForCompletion(world: World, registers: Register[]): Promise<void> {
  for (let n = 0; n < 120; n++) {
    await Promise.all(registers.map((register) => register.beat()))
    const [open] = await crossTenantReason<{ n: number }>(
      world,
      sql`select count(*)::int as n from refunds where request_key like 'chaos-%' and status in (1, 2)`,
    )
    if (!open!.n && registers.every((register) => !register.figures().unsent)) return
    await pause(500)
  }
}

/** Compares what was acknowledged with the rows. Returns a line for each violation. */
export async function faultsOf(world: World, registers: Register[]): Promise<string[]> {
  const { refunds, recharges, transfers } = acknowledged
  const faults: string[] = []
  for (const [name, { size }] of Object.entries({ sales: sold, refunds, recharges, transfers })) {
    if (size < LEAST) faults.push(`only ${size} ${name} were acknowledged: they were not tried`)
  }
  if (counts.crashed) faults.push(`${counts.crashed} calls crashed`)
  if (counts.signedOut) faults.push(`${counts.signedOut} calls of somebody signed in were sent away`)
  faults.push(...(await saleFaults(world, registers)))
  for (const look of [refundFaults, paidFaults, rechargeFaults, transferFaults]) faults.push(...(await look(world)))
  const all = { crossTenantReason: 'chaos recomputes all figures' }
  const wrong = await steadily(() => world.app.services.unit(all, (db) => figuresOf(db)))
  for (const one of wrong) faults.push(`${one.check}: ${one.id} is ${one.found}, not ${one.expected}`)
  return faults
}

const centsOf = (yuan: string | undefined) => Math.round(Number(yuan) * 100)

async function saleFaults(world: World, registers: Register[]): Promise<string[]> {
  const faults: string[] = []
  const sns = registers.map((register) => register.sn)
  const orders = await crossTenantReason<{ orderNo: string; key: string; paid: number }>(
    world,
    sql`
    select o.order_no, c.sn || ' ' || o.sale_no as key, o.pay_amount::float8 as paid from shopping_order o
      join cash_register c on c.id = o.cash_register_id and c.tenant_id = o.tenant_id
    where c.sn = any(${sns}::text[]) and o.sale_no like '%-%'`,
  )
  const byNumber = new Map(orders.map((row) => [row.orderNo, row]))
  // The counters of registers started at the same time are equal: a sale's number is unique per register only.
  if (new Set(orders.map((row) => row.key)).size !== orders.length) faults.push('a sale is there twice')
  let acknowledged = 0
  for (const register of registers) {
    for (const { orderNo, saleNo } of register.acknowledged()) {
      acknowledged++
      const key = `${register.sn} ${saleNo}`
      const order = byNumber.get(orderNo)
      if (order?.key !== key) faults.push(`sale ${key} was acknowledged and is not there`)
      else if (order.paid !== centsOf(sold.get(key)?.payAmount)) {
        faults.push(`sale ${key} was paid ${sold.get(key)?.payAmount} and is there with ${order.paid} cents`)
      }
    }
    const { wrong, unsent } = register.figures()
    if (wrong + unsent) faults.push(`of ${register.sn} ${wrong} sales were answered wrongly, ${unsent} never taken`)
  }
  if (orders.length !== acknowledged) faults.push(`${orders.length} sales are there, ${acknowledged} were acknowledged`)
  return faults
}

async function refundFaults(world: World): Promise<string[]> {
  const faults: string[] = []
  const rows = await crossTenantReason<{ key: string; status: number }>(
    world,
    sql`select request_key as key, status from refunds where request_key like 'chaos-%'`,
  )
  for (const key of acknowledged.refunds) {
    const found = rows.filter((row) => row.key === key)
    if (found.length === 1 && found[0]!.status === 3) continue
    faults.push(`refund ${key} is there ${found.length} times, state ${found[0]?.status}`)
  }
  for (const { key } of rows) if (denied.refunds.has(key)) faults.push(`refund ${key} was refused and is there`)
  for (const { keys, yes } of twins) {
    if (yes !== 1) faults.push(`${yes} of ${keys.join(' and ')}, asked at once, were told yes`)
  }
  return faults
}

/** Compares the channel's payments with the rows: none twice, none without a row, all with the right amount. */
async function paidFaults(world: World): Promise<string[]> {
  const { paid } = world.channel
  const faults: string[] = []
  const rows = await crossTenantReason<{ no: string; amount: number; state: string; isOurs: boolean }>(
    world,
    sql`
    select m.out_no as no, m.amount::float8 as amount, m.state, r.request_key like 'chaos-%' as is_ours
    from refund_payment m join refunds r on r.id = m.refund_id and r.tenant_id = m.tenant_id
    where m.channel not in ('cash', 'balance')`,
  )
  const byNo = new Map(rows.map((row) => [row.no, row]))
  for (const [no, cents] of paid) {
    const row = byNo.get(no)
    if (row?.amount === cents && row.state === 'done') continue
    faults.push(`the channel paid ${cents} for ${no}, whose row says ${row?.amount} ${row?.state}`)
  }
  // The channel does not know refunds of the demo data, which are from before it started.
  for (const { no, state, isOurs } of rows) {
    if (isOurs && state === 'done' && !paid.has(no)) faults.push(`${no} is said to be paid, and the channel has not`)
  }
  return faults
}

async function rechargeFaults(world: World): Promise<string[]> {
  const faults: string[] = []
  const rows = await crossTenantReason<{ no: string; booked: number }>(
    world,
    sql`
    select r.recharge_no as no, coalesce(sum(l.change), 0)::float8 as booked from recharge_log r
      left join balance_log l on l.tenant_id = r.tenant_id and l.ref_type = 'recharge' and l.ref_id = r.id
    where r.recharge_no like 'CHAOS-%' group by r.tenant_id, r.id`,
  )
  const byNo = new Map(rows.map((row) => [row.no, row.booked]))
  if (byNo.size !== rows.length) faults.push('a recharge is there twice')
  for (const no of acknowledged.recharges) {
    if (byNo.get(no) !== 1000) faults.push(`recharge ${no} was acknowledged and is there with ${byNo.get(no)} cents`)
  }
  for (const no of denied.recharges) if (byNo.has(no)) faults.push(`recharge ${no} was refused and is there`)
  return faults
}

/** Of three pieces sent: change in the sending and in the receiving shop, by how the transfer ended. */
const MOVED: Record<Ending, [number, number]> = { whole: [-3, 3], short: [-2, 2], lost: [-3, 2], recalled: [0, 0] }

async function transferFaults(world: World): Promise<string[]> {
  const faults: string[] = []
  const ids = [...acknowledged.transfers.keys()]
  const rows = await crossTenantReason<{ id: string; sent: number; came: number }>(
    world,
    sql`
    select t.id, coalesce(sum(l.change) filter (where g.shop_id = t.from_shop_id), 0)::float8 as sent,
      coalesce(sum(l.change) filter (where g.shop_id = t.to_shop_id), 0)::float8 as came from stock_transfer t
      left join storage_log l on l.tenant_id = t.tenant_id and l.ref_type = 'transfer' and l.ref_id = t.id
      left join good_info g on g.id = l.good_id and g.tenant_id = l.tenant_id
    where t.id = any(${ids}::bigint[]) group by t.id`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const [id, ending] of acknowledged.transfers) {
    const row = byId.get(id)
    const [sent, came] = MOVED[ending]
    if (row?.sent === sent && row.came === came) continue
    faults.push(`transfer ${id}, ${ending}, moved ${row?.sent} and ${row?.came}, not ${sent} and ${came}`)
  }
  return faults
}
