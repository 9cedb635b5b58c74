import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { defineSystemText } from '#kit/server/system-words.ts'
import { formatShanghaiTime } from '#kit/server/time.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findPlatformAccount } from './accounts.ts'
import { PLATFORM_ACTION_QUEUE, enqueuePlatformAction } from './actions.ts'
import { PLATFORM_ACTION_STATE, OPEN_ACTION_STATES } from './dictionaries.ts'
import { applyPlatformOrder } from './inbound.ts'
import { platformAsk } from './platform-ask.resource.ts'
import { ORDER_POLL_DAYS } from './polls.ts'
import {
  platformOf,
  type PlatformAction,
  type PlatformActionLine,
  type PlatformActionKind,
  type Platform,
  type DeliveryStep,
  type PlatformRow,
} from './platform.ts'

const RIDES: string[] = ['rider', 'sendOut', 'arrived', 'rideFailed'] satisfies DeliveryStep[]
/** How long a delivery step waits for the step before it; after that it is sent anyway. */
const EARLIER = sql`interval '1 hour'`
const [SOON_S, LATE_S] = [2, 60]
/** Tries within about the first hour, while the order can still wait; later tries become rarer. */
const QUICK_TRIES = 20
const [QUICK_S, SELDOM_S] = [300, 6 * 3_600]
/** Days a platform is asked whether it did an unconfirmed action; as long as open orders are polled. */
const ASK_DAYS = ORDER_POLL_DAYS
const NO_ACCOUNT = defineSystemText({ zh: '没有启用的平台账号', en: 'No active platform account' })

type AskRow = RowOf<typeof platformAsk>
type ActionWork = {
  services: Services
  tenantId: string
  platform: Platform
  shop: PlatformRow
  connection: unknown
  ask: { -readonly [K in keyof PlatformAction]: PlatformAction[K] }
  /** The time to do the action is over: only its outcome is still read. */
  isOver: boolean
}

export const executePlatformActionJob = defineModuleJob<{ id: string }>({
  queue: PLATFORM_ACTION_QUEUE,
  concurrency: 8,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) =>
    attempt > QUICK_TRIES
      ? Math.min(QUICK_S * 2 ** (attempt - QUICK_TRIES), SELDOM_S)
      : Math.min(2 ** attempt, QUICK_S),
  run: async ({ id }, { tenantId, services }) => {
    const found = await services.unit({ tenantId }, async (db) =>
      (await waitsForEarlier(db, services, id)) ? undefined : claimPlatformAction(db, services, id),
    )
    if (!found) return
    const { row, work } = found
    if (!work) throw new Error(`no account in use at ${row.platform}`)
    if (row.state !== PLATFORM_ACTION_STATE.done) await executePlatformAction(row, work)
    // Also read after a crash that followed the action, and after a refusal: the order at the platform decides.
    const { platform, shop } = work
    const there = await platform.order.read(work.connection, work.ask.orderNo)
    await services.unit({ tenantId }, (db) => applyPlatformOrder(db, services, { platform, shop, there }))
  },
})

/** Every ten minutes: enqueues open actions again that have no job, for example after the database was restored. */
export const requeuePlatformActionsJob = defineModuleJob({
  queue: 'platform.asks',
  cron: '*/10 * * * *',
  run: (_payload, { services }) =>
    services.unit(
      { crossTenantReason: 'what platforms were asked by all tenants and have not confirmed' },
      async (all) => {
        const rows = await all.query<{ tenantId: string; id: string }>(
          sql`select tenant_id, id from platform_ask where state = any(${[...OPEN_ACTION_STATES]}::text[])`,
        )
        for (const { tenantId, id } of rows) await all.asTenant(tenantId, (db) => enqueuePlatformAction(db, id))
      },
    ),
})

/**
 * Performs the action, or finds that it was already done, and stores the outcome. Throws while the outcome is unknown,
 * so that the job retries.
 */
async function executePlatformAction({ id, state, known }: AskRow, work: ActionWork): Promise<void> {
  const { services, tenantId } = work
  try {
    // A server sent the action and crashed before the answer: ask the platform for the outcome.
    const isDone = state !== PLATFORM_ACTION_STATE.asked && (await isDoneThere(work))
    if (!isDone && work.isOver)
      return updatePlatformAction(services, tenantId, id, { state: PLATFORM_ACTION_STATE.unanswered })
    if (!isDone) {
      if (!known) work.ask.known = await keepKnown(work, id)
      await work.platform.order.act(work.connection, work.ask)
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const fate = await fateOf(work, error)
    const failReason = error.message.slice(0, 500)
    if (fate === PLATFORM_ACTION_STATE.failed)
      return updatePlatformAction(services, tenantId, id, { state: fate, failReason })
    if (fate === PLATFORM_ACTION_STATE.unclear) {
      await updatePlatformAction(services, tenantId, id, {
        state: work.isOver ? PLATFORM_ACTION_STATE.unanswered : fate,
        failReason,
      })
      throw error
    }
  }
  await updatePlatformAction(services, tenantId, id, {
    state: PLATFORM_ACTION_STATE.done,
    doneTime: formatShanghaiTime(services.now()),
    failReason: null,
  })
}

/**
 * Decides what a failed call means. It counts as failed only when the order, read again, does not show the action; when
 * the order cannot be read, the outcome is unclear.
 */
async function fateOf(
  work: ActionWork,
  { isUndone, isRetryable }: VendorError,
): Promise<'done' | 'failed' | 'unclear'> {
  if (!isUndone || isRetryable) return PLATFORM_ACTION_STATE.unclear
  try {
    return (await isDoneThere(work)) ? PLATFORM_ACTION_STATE.done : PLATFORM_ACTION_STATE.failed
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return PLATFORM_ACTION_STATE.unclear
  }
}

/**
 * Returns whether an earlier delivery step of the order is still open. Steps are reported in order, so this one is
 * enqueued again for later.
 */
async function waitsForEarlier(db: Db, services: Services, id: string): Promise<boolean> {
  const earlier = await db.one<{ seconds: number }>(sql`select
      extract(epoch from clock_timestamp() - a.create_time)::float8 as seconds from platform_ask a
      join platform_ask e on e.tenant_id = a.tenant_id
      and e.platform = a.platform and e.platform_order_no = a.platform_order_no and e.kind = any(${RIDES}::text[])
      and e.state = any(${[
        PLATFORM_ACTION_STATE.asked,
        PLATFORM_ACTION_STATE.sent,
        PLATFORM_ACTION_STATE.unclear,
      ]}::text[]) and e.id < a.id
    where a.tenant_id = ${db.tenantId} and a.id = ${id} and a.kind = any(${RIDES}::text[])
      and a.create_time > clock_timestamp() - ${EARLIER} limit 1`)
  if (!earlier) return false
  const waitS = Math.min(Math.max(SOON_S, earlier.seconds / 4), LATE_S)
  const runAt = new Date(services.now().getTime() + waitS * 1_000)
  await enqueuePlatformAction(db, id, { runAt })
  return true
}

/**
 * Locks the action and marks it as sent before the call, so that after a crash its outcome is queried first. Returns
 * undefined when nothing is left to do, and no `work` without an account.
 */
async function claimPlatformAction(
  db: Db,
  services: Services,
  id: string,
): Promise<{ row: AskRow; work?: ActionWork } | undefined> {
  const row = await db.get(platformAsk, id, 'forUpdate')
  if (!row || (row.state !== PLATFORM_ACTION_STATE.done && !OPEN_ACTION_STATES.includes(row.state!))) return undefined
  const now = services.now().getTime()
  const askUntil = row.askUntil ?? formatShanghaiTime(new Date(now + ASK_DAYS * 24 * 3_600_000))
  const isOver = Date.parse(`${askUntil}+08:00`) <= now
  if (isOver && row.state === PLATFORM_ACTION_STATE.done) return undefined
  const target = await findPlatform(db, services, row)
  if (!target) {
    const end = { state: isOver ? PLATFORM_ACTION_STATE.unanswered : row.state, failReason: NO_ACCOUNT }
    if (row.state !== PLATFORM_ACTION_STATE.done)
      publishRowsChanged({ db }, platformAsk, [await db.update(platformAsk, id, { askUntil, ...end })])
    return isOver ? undefined : { row }
  }
  if (row.state !== PLATFORM_ACTION_STATE.done)
    await db.update(platformAsk, id, { state: PLATFORM_ACTION_STATE.sent, tries: (row.tries ?? 0) + 1, askUntil })
  return { row, work: { services, tenantId: db.tenantId, ...target, ask: askOf(row), isOver } }
}

/** Finds platform, shop and connection of an action; nothing where the tenant has no account in use. */
async function findPlatform(
  db: Db,
  services: Services,
  row: AskRow,
): Promise<Pick<ActionWork, 'platform' | 'shop' | 'connection'> | undefined> {
  const platform = platformOf(services, row.platform!)
  if (!platform) return undefined
  const shop = (await db.get(platform.shop, row.shopThere!)) as PlatformRow | undefined
  const account = await findPlatformAccount(db, services, platform.name)
  return shop && account && { platform, shop, connection: platform.connect(services, account, shop) }
}

const askOf = (row: AskRow): ActionWork['ask'] => ({
  kind: row.kind as PlatformActionKind,
  orderNo: row.platformOrderNo!,
  reason: row.reason ?? '',
  reasonCode: row.reasonCode ?? '',
  refundNo: row.refundNo ?? '',
  rider: { name: row.riderName ?? '', phone: row.riderPhone ?? '' },
  lines: (row.lines as PlatformActionLine[] | null) ?? [],
  known: (row.known as string[] | null) ?? [],
})

/**
 * Stores the order's refund numbers before a shop's own refund is requested. The platform numbers that refund only
 * afterwards, so after a lost answer the new number identifies it.
 */
async function keepKnown({ services, tenantId, platform, connection, ask }: ActionWork, id: string): Promise<string[]> {
  if (ask.kind !== 'refundPart') return []
  const { refunds } = await platform.order.read(connection, ask.orderNo)
  const known = refunds.map(({ refundNo }) => refundNo)
  await services.unit({ tenantId }, (db) => db.update(platformAsk, id, { known }))
  return known
}

async function isDoneThere({ platform, connection, ask }: ActionWork): Promise<boolean> {
  return platform.order.isDone(ask, await platform.order.read(connection, ask.orderNo))
}

const updatePlatformAction = (
  services: Services,
  tenantId: string,
  id: string,
  patch: Partial<AskRow>,
): Promise<void> =>
  services.unit({ tenantId }, async (db) =>
    publishRowsChanged({ db }, platformAsk, [await db.update(platformAsk, id, patch)]),
  )
