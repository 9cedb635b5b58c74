import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineRoomJob } from '#kit/server/room.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { VendorError } from '#domains/integrations/doors.ts'
import { accountOf } from './accounts.ts'
import { ASK_QUEUE, TRIES_MAX } from './asks.ts'
import { ASK } from './dictionaries.ts'
import { followOrder } from './inbound.ts'
import { platformAsk } from './platform-ask.resource.ts'
import {
  platformOf,
  type Ask,
  type AskedLine,
  type AskKind,
  type Platform,
  type RideKind,
  type Row,
} from './platform.ts'

const RIDES: string[] = ['rider', 'sendOut', 'arrived', 'rideFailed'] satisfies RideKind[]
/** So long a step waits for the one before it; then it is told without. */
const EARLIER = sql`interval '1 hour'`
const [SOON_S, LATE_S] = [2, 60]

type AskRow = RowOf<typeof platformAsk>
type Work = {
  services: Services
  tenantId: string
  platform: Platform
  shop: Row
  connection: unknown
  ask: { -readonly [K in keyof Ask]: Ask[K] }
}

export const askJob = defineRoomJob<{ id: string }>({
  queue: ASK_QUEUE,
  concurrency: 8,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 300),
  run: async ({ id }, { tenantId, services }) => {
    const found = await services.unit({ tenantId }, async (db) =>
      (await waitsForEarlier(db, services, id)) ? undefined : take(db, services, id),
    )
    if (!found) return
    const { row, work } = found
    if (row.state !== ASK.done) await carryOut(row, work)
    // Also for who died after it was done, and where it was refused: the order stands there as it stands.
    const { platform, shop } = work
    const there = await platform.order.read(work.connection, work.ask.orderNo)
    await services.unit({ tenantId }, (db) => followOrder(db, services, { platform, shop, there }))
  },
})

/** Asks, or finds that it was done before, and writes what came of it. What is not known is thrown. */
async function carryOut({ id, state, known }: AskRow, work: Work): Promise<void> {
  const { services, tenantId } = work
  try {
    // Somebody asked and never came back: the platform knows what became of it.
    const isDone = state !== ASK.asked && (await isDoneThere(work))
    if (!isDone) {
      if (!known) work.ask.known = await keepKnown(work, id)
      await work.platform.order.act(work.connection, work.ask)
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const failReason = error.message.slice(0, 500)
    if (!error.isUndone || error.isRetryable) {
      await turn(services, tenantId, id, { state: ASK.unclear, failReason })
      throw error
    }
    if (!(await isDoneThere(work))) return turn(services, tenantId, id, { state: ASK.failed, failReason })
  }
  await turn(services, tenantId, id, { state: ASK.done, doneTime: shanghaiText(services.now()), failReason: null })
}

/** What is told of a delivery is told in its order: until the step before is over, the next one waits. */
async function waitsForEarlier(db: Db, services: Services, id: string): Promise<boolean> {
  const earlier = await db.one<{ seconds: number }>(sql`select
      extract(epoch from clock_timestamp() - a.create_time)::float8 as seconds from platform_ask a
      join platform_ask e on e.tenant_id = a.tenant_id
      and e.platform = a.platform and e.platform_order_no = a.platform_order_no and e.kind = any(${RIDES}::text[])
      and e.state = any(${[ASK.asked, ASK.sent, ASK.unclear]}::text[]) and e.id < a.id
    where a.tenant_id = ${db.tenantId} and a.id = ${id} and a.kind = any(${RIDES}::text[])
      and a.create_time > clock_timestamp() - ${EARLIER} limit 1`)
  if (!earlier) return false
  const waitS = Math.min(Math.max(SOON_S, earlier.seconds / 4), LATE_S)
  const runAt = new Date(services.now().getTime() + waitS * 1_000)
  await db.later(ASK_QUEUE, { id }, { key: id, runAt, maxAttempts: TRIES_MAX })
  return true
}

/** Written down before it is asked: whoever finds it so after a crash asks what became of it. */
async function take(db: Db, services: Services, id: string): Promise<{ row: AskRow; work: Work } | undefined> {
  const row = await db.get(platformAsk, id, 'lock')
  if (!row || row.state === ASK.failed) return undefined
  const platform = platformOf(services, row.platform!)
  const shop = platform && ((await db.get(platform.shop, row.shopThere!)) as Row | undefined)
  const account = platform && (await accountOf(db, services, platform.name))
  if (!platform || !shop || !account) throw new Error(`no account in use at ${row.platform}`)
  if (row.state !== ASK.done) await db.update(platformAsk, id, { state: ASK.sent, tries: (row.tries ?? 0) + 1 })
  const ask = {
    kind: row.kind as AskKind,
    orderNo: row.platformOrderNo!,
    reason: row.reason ?? '',
    reasonCode: row.reasonCode ?? '',
    refundNo: row.refundNo ?? '',
    rider: { name: row.riderName ?? '', phone: row.riderPhone ?? '' },
    lines: (row.lines as AskedLine[] | null) ?? [],
    known: (row.known as string[] | null) ?? [],
  }
  const connection = platform.connect(services, account, shop)
  return { row, work: { services, tenantId: db.tenantId, platform, shop, connection, ask } }
}

/**
 * A refund a shop begins has no number before the platform gives it one: which were there before is written down
 * before it is asked, so that after a lost answer its own is told from them.
 */
async function keepKnown({ services, tenantId, platform, connection, ask }: Work, id: string): Promise<string[]> {
  if (ask.kind !== 'refundPart') return []
  const { refunds } = await platform.order.read(connection, ask.orderNo)
  const known = refunds.map(({ refundNo }) => refundNo)
  await services.unit({ tenantId }, (db) => db.update(platformAsk, id, { known }))
  return known
}

async function isDoneThere({ platform, connection, ask }: Work): Promise<boolean> {
  return platform.order.isDone(ask, await platform.order.read(connection, ask.orderNo))
}

const turn = (services: Services, tenantId: string, id: string, patch: Partial<AskRow>): Promise<void> =>
  services.unit({ tenantId }, async (db) =>
    publishChanged({ db }, platformAsk, [await db.update(platformAsk, id, patch)]),
  )
