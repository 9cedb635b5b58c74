// The trade of `npm run chaos`: the calls to the nodes while faults are injected, and what was answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { invalidateCashRegisterCache, issueKey } from '#domains/sales/point-of-sale/api.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { createRegister, type PlayedSale, type Register } from '#simulators/registers/register.ts'
import type { World } from './chaos-world.ts'

const tenantId = '100001'
const ANSWER_MS = 30_000
const INSIST_MS = 180_000
/** Products created in every open shop, with enough pieces to sell and transfer. */
const [GOODS, PIECES] = [4, 20_000]

type Answer = { status: number; data: any; msg: string }
export type Ending = 'whole' | 'short' | 'lost' | 'recalled'
/** Operations answered with 200, which must exist in the end. */
export const acknowledged = {
  refunds: new Set<string>(),
  recharges: new Set<string>(),
  transfers: new Map<string, Ending>(),
}
/** Operations finally refused, which must not exist. */
export const denied = { refunds: new Set<string>(), recharges: new Set<string>() }
/** Orders that two people refunded in full at once, with how many of the two succeeded. */
export const twins: { keys: [string, string]; yes: number }[] = []
/** Results of the calls. `twice` counts calls whose second try failed too. */
export const counts = {
  calls: 0,
  answered: 0,
  later: 0,
  unreachable: 0,
  refused: 0,
  crashed: 0,
  signedOut: 0,
  twice: 0,
}
/** The registers' sales by their number, with what was paid. */
export const sold = new Map<string, PlayedSale>()
export const trade = { isOn: true }

const doorOf = ({ doors }: World, n: number) => doors[n % doors.length]!

export async function callNode(
  world: World,
  n: number,
  token: string | undefined,
  path: string,
  body?: unknown,
): Promise<Answer> {
  counts.calls++
  try {
    const headers = {
      'accept-language': 'en',
      'content-type': 'application/json',
      'tenant-id': tenantId,
      authorization: `Basic ${btoa('script:script_secret')}`,
      ...(token ? { 'blade-auth': `bearer ${token}` } : {}),
    }
    const answer = await fetch(`${doorOf(world, n)}${path}`, {
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = (await answer.json()) as { data?: unknown; msg?: string; access_token?: string }
    countRefusal(answer.status, path, text.msg)
    return { status: answer.status, data: text.data ?? text, msg: text.msg ?? '' }
  } catch (error) {
    counts.unreachable++
    return { status: 0, data: undefined, msg: (error as Error).message }
  }
}

function countRefusal(status: number, path: string, msg: string | undefined): void {
  if (status === 200) counts.answered++
  else if (status === 503) counts.later++
  else if (status === 401) counts.signedOut++
  else if (status >= 500) counts.crashed++
  else counts.refused++
  if (status === 401 || (status >= 500 && status !== 503)) console.log(`  ${status}: ${path} ${msg}`)
}

export async function signIn(world: World, account: string): Promise<string> {
  const login = { grant_type: 'password', tenantId, username: account, password: md5Hex(account), scope: 'all' }
  const path = `/api/blade-auth/oauth/token?${new URLSearchParams(login)}`
  for (let n = 0; n < 20; n++) {
    const { data } = await callNode(world, n, undefined, path, {})
    if (data?.access_token) return data.access_token as string
    await pause(250)
  }
  throw new Error(`${account} cannot sign in`)
}

/**
 * Repeats a call on alternating nodes until it is accepted or refused. One key for all tries, so that it is done once.
 */
async function insist(world: World, token: string, path: string, body?: unknown, first = 0): Promise<Answer> {
  const until = performance.now() + INSIST_MS
  for (let n = first; performance.now() < until; n++) {
    if (n === first + 2) counts.twice++
    const answer = await callNode(world, n, token, path, body)
    if (answer.status !== 0 && answer.status !== 503 && answer.data?.reason !== 'busy') return answer
    await pause(200)
  }
  throw new Error(`nobody answers ${path}`)
}

async function must(answer: Promise<Answer>): Promise<any> {
  const { status, data, msg } = await answer
  if (status !== 200) throw new Error(`${status} ${msg}`)
  return data
}

export function crossTenantReason<R extends object>({ app }: World, statement: Sql): Promise<R[]> {
  const all = { crossTenantReason: 'chaos looks at everything' }
  return steadily(() => app.services.unit(all, (db) => db.query<R>(statement)))
}

/** Retries a query for 30 seconds: this process uses the same database that is being killed. */
export async function steadily<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await work()
    } catch (error) {
      if (n === 60) throw error
      await pause(500)
    }
  }
}

type Good = { id: string; shopId: string }
export type Stage = { registers: Register[]; shops: string[]; goods: Good[]; people: string[] }

/** Prepares four registers with keys, products in each shop that do not run out, and customers to recharge. */
export async function makeStage(world: World, token: string): Promise<Stage> {
  const rows = await crossTenantReason<{ id: string; sn: string; shopId: string }>(
    world,
    sql`select id, sn, shop_id from cash_register where tenant_id = ${tenantId} order by sn limit 4`,
  )
  const keys = await world.app.services.unit({ tenantId }, async (db: Db) => {
    const out = []
    for (const { id, sn } of rows) out.push({ sn, secret: await issueKey(db, id) })
    return out
  })
  await invalidateCashRegisterCache(world.app.services)
  const customers = { prefix: `demo-${tenantId}-`, count: 150 }
  const registers = keys.map((key, n) =>
    createRegister({ ...key, url: doorOf(world, n), random: createRandom(n + 1), customers }),
  )
  const shops = [...new Set(rows.map((row) => row.shopId))]
  const goods: Good[] = []
  for (const shopId of shops) {
    for (let n = 1; n <= GOODS; n++) {
      const draft = { shopId, upc: `99000${n}`, name: `矿泉水${n}`, salePrice: `${n}.50`, costPrice: '1.00' }
      const { id } = await must(callNode(world, n, token, '/api/shop/goodInfo/submit', draft))
      const batch = { shopId, goodId: id, quantity: PIECES, costPrice: '1.00', expiryDate: '2030-01-01' }
      await must(callNode(world, n, token, '/api/shop/storageBatch/submit', batch))
      goods.push({ id: id as string, shopId })
    }
  }
  const people = await crossTenantReason<{ id: string }>(
    world,
    sql`select id from wx_user where tenant_id = ${tenantId} and openid like 'demo-%' order by id limit 20`,
  )
  return { registers, shops, goods, people: people.map((one) => one.id) }
}

export const startTrade = (world: World, token: string, stage: Stage): Promise<unknown> =>
  Promise.all([
    ...stage.registers.map(sell),
    refundOrders(world, token),
    topUp(world, token, stage),
    // Transfers in opposite directions: each waits for rows that the other has locked.
    moveStock(world, token, stage, [0, 1]),
    moveStock(world, token, stage, [1, 0]),
  ])

async function sell(register: Register): Promise<void> {
  while (trade.isOn && !(await register.start())) await pause(500)
  for (let n = 1; trade.isOn; n++) {
    const sale = await register.sell()
    if (sale) sold.set(`${register.sn} ${sale.saleNo}`, sale)
    if (n % 10 === 0) await register.beat()
    await pause(100)
  }
}

type OpenOrder = { id: string; detailId: string; quantity: number }

/** Returns orders sold here and not refunded yet, small enough to need one approval. */
const openOrders = (world: World) =>
  crossTenantReason<OpenOrder>(
    world,
    sql`
  select o.id, d.id as detail_id, d.quantity from shopping_order o join lateral (
    select id, quantity from shopping_order_detail d
    where d.tenant_id = o.tenant_id and d.order_id = o.id and d.amount >= 100 order by quantity desc, id limit 1
  ) d on true
  where o.tenant_id = ${tenantId} and o.status = 2 and o.sale_no like '%-%' and o.pay_amount < 10000
    and not exists (select 1 from refunds r where r.tenant_id = o.tenant_id and r.order_id = o.id)
  order by (o.pay_type in ('wechat', 'alipay')) desc, random() limit 20`,
  )

async function refundOrders(world: World, token: string): Promise<void> {
  for (let n = 0; trade.isOn;) {
    for (const order of await openOrders(world)) {
      if (!trade.isOn) return
      await refundOne(world, token, order, n++)
      await pause(100)
    }
    await pause(300)
  }
}

/** Refunds an order: in full, a piece and then the rest, by amount, or in full from two nodes at once. */
async function refundOne(world: World, token: string, order: OpenOrder, n: number): Promise<void> {
  const { id, detailId, quantity } = order
  const send = async (key: string, what: object, first: number) => {
    const body = { orderId: id, reason: '测试', requestKey: key, ...what }
    const { status } = await insist(world, token, '/api/shop/refunds/now', body, first)
    if (status === 200) acknowledged.refunds.add(key)
    else denied.refunds.add(key)
    return status === 200
  }
  const whole = { full: true }
  const piece = { lines: [{ detailId, quantity: 1 }] }
  const money = { lines: [{ detailId, quantity: 0, amount: '0.50' }], restock: false }
  if (n % 4 === 3) {
    const keys: [string, string] = [`chaos-${id}-a`, `chaos-${id}-b`]
    const yes = await Promise.all(keys.map((key, node) => send(key, whole, node)))
    twins.push({ keys, yes: yes.filter(Boolean).length })
    return
  }
  if (n % 4 === 1 && quantity > 1) await send(`chaos-${id}-piece`, piece, n)
  if (n % 4 === 2) await send(`chaos-${id}-money`, money, n)
  else await send(`chaos-${id}-rest`, whole, n)
}

const RECHARGE = '/api/shop/rechargeLog/recharge'
const rechargeOf = (wxUserId: string, rechargeNo: string) => ({
  wxUserId,
  amount: '10.00',
  payType: 'cash',
  reason: '测试',
  rechargeNo,
})

/** Tries once to recharge an account. The same number may be tried again: it is booked once. */
export async function tryTopUp(world: World, n: number, token: string, wxUserId: string, no: string): Promise<Answer> {
  const answer = await callNode(world, n, token, RECHARGE, rechargeOf(wxUserId, no))
  if (answer.status === 200) acknowledged.recharges.add(no)
  return answer
}

const AGAIN_MS = 180_000

/** Returns the milliseconds until a node acknowledges a save: only that proves that it works. */
export async function untilSaved(world: World, n: number, token: string, stage: Stage): Promise<number> {
  const began = performance.now()
  const rechargeNo = newRechargeNo()
  while ((await tryTopUp(world, n, token, stage.people[n]!, rechargeNo)).status !== 200) {
    if (performance.now() - began > AGAIN_MS) throw new Error(`nobody saves again at door ${n + 1}`)
    await pause(50)
  }
  return Math.round(performance.now() - began)
}

export const newRechargeNo = () => `CHAOS-${randomUUID()}`

async function topUp(world: World, token: string, { people }: Stage): Promise<void> {
  for (let n = 0; trade.isOn; n++) {
    const rechargeNo = newRechargeNo()
    const { status, msg } = await insist(world, token, RECHARGE, rechargeOf(people[n % people.length]!, rechargeNo), n)
    if (status === 200) acknowledged.recharges.add(rechargeNo)
    else denied.recharges.add(rechargeNo)
    if (status !== 200 && !n) console.log(`  the first recharge was refused: ${msg}`)
    await pause(150)
  }
}

const ENDINGS: readonly Ending[] = ['whole', 'short', 'lost', 'recalled']

async function moveStock(world: World, token: string, stage: Stage, [from, to]: [number, number]): Promise<void> {
  const { shops, goods } = stage
  const here = goods.filter((good) => good.shopId === shops[from])
  for (let n = from; trade.isOn; n++) {
    const goodId = here[n % here.length]!.id
    const body = { fromShopId: shops[from], toShopId: shops[to], lines: [{ goodId, quantity: 3 }] }
    // A draft saved twice does no harm: it moves no stock.
    const { status, data } = await insist(world, token, '/api/shop/stockTransfer/submit', body, n)
    if (status === 200) await bring(world, token, data.id as string, goodId, ENDINGS[n % ENDINGS.length]!)
    await pause(150)
  }
}

/**
 * Dispatches a transfer and ends it. When the answer of a first try is lost, the second is refused although it was
 * done: the row tells.
 */
async function bring(world: World, token: string, id: string, goodId: string, ending: Ending): Promise<void> {
  const act = (name: string, body: object) => insist(world, token, `/api/shop/stockTransfer/${name}`, { id, ...body })
  await act('dispatch', {})
  if (ending === 'recalled') await act('recall', {})
  else if (ending === 'whole') await act('receive', {})
  else await act('receive', { lines: [{ goodId, received: 2 }], remainder: ending === 'lost' ? 'lost' : 'unsent' })
  const now = await insist(world, token, `/api/shop/stockTransfer/detail?id=${id}`)
  if (Number(now.data?.status) === (ending === 'recalled' ? 8 : 2)) acknowledged.transfers.set(id, ending)
  else console.log(`  transfer ${id} stands at ${now.data?.status} after ${ending}`)
}
