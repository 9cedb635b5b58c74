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
/** So long a step waits for the one before it; then it is told without. */
const EARLIER = sql`interval '1 hour'`
const [SOON_S, LATE_S] = [2, 60]
/** For about an hour an order can wait for what is asked; after that it is asked more and more seldom. */
const QUICK_TRIES = 20
const [QUICK_S, SELDOM_S] = [300, 6 * 3_600]
/** So long the platform is asked what it does not confirm; as long as an order that is not over is looked at. */
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
  /** Nothing is done there any more: it is looked at once more how the order stands. */
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
    // Also for who died after it was done, and where it was refused: the order stands there as it stands.
    const { platform, shop } = work
    const there = await platform.order.read(work.connection, work.ask.orderNo)
    await services.unit({ tenantId }, (db) => applyPlatformOrder(db, services, { platform, shop, there }))
  },
})

/** Every ten minutes: what no job asks any more, as after a restore of the database. */
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

/** Asks, or finds that it was done before, and writes what came of it. What is not known is thrown. */
async function executePlatformAction({ id, state, known }: AskRow, work: ActionWork): Promise<void> {
  const { services, tenantId } = work
  try {
    // Somebody asked and never came back: the platform knows what became of it.
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

/** Refused is what the order, read once more, does not show: of one the platform does not tell of nothing is known. */
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

/** What is told of a delivery is told in its order: until the step before is over, the next one waits. */
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

/** Written down before it is asked: whoever finds it so after a crash asks what became of it. */
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
 * A refund a shop begins has no number before the platform gives it one: which were there before is written down
 * before it is asked, so that after a lost answer its own is told from them.
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
