import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  callRowsOf,
  defineOutboundCall,
  type OutboundAnswer,
  type OutboundContext,
  type PreparedCall,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'
import { findPlatformAccount } from './accounts.ts'
import { PLATFORM_ACTION_QUEUE } from './actions.ts'
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

const DELIVERY_STEPS: string[] = ['rider', 'sendOut', 'arrived', 'rideFailed'] satisfies DeliveryStep[]
/** How long a delivery step waits for the step before it; after that it is sent anyway. */
const EARLIER = sql`interval '1 hour'`
const [SOON_S, LATE_S] = [2, 60]
/** Tries within about the first hour, while the order can still wait; later tries become rarer. */
const QUICK_TRIES = 20
const [QUICK_S, SELDOM_S] = [300, 6 * 3_600]
/** Days a platform is asked whether it did an unconfirmed action; as long as open orders are polled. */
const ASK_DAYS = ORDER_POLL_DAYS
/** Seconds until an action is tried again that lacked an account. */
const ACCOUNT_AGAIN_S = 300
const NO_ACCOUNT = defineSystemText({ zh: '没有启用的平台账号', en: 'No active platform account' })

type AskRow = RowOf<typeof platformAsk>
type ActionWork = {
  platform: Platform
  shop: PlatformRow
  connection: unknown
  ask: { -readonly [K in keyof PlatformAction]: PlatformAction[K] }
}
type Action = OutboundContext<AskRow, ActionWork>

/** Finds platform, shop and connection, unless an earlier step is open or there is no account. */
async function prepare(db: Db, row: AskRow, services: Services): Promise<PreparedCall<AskRow, ActionWork>> {
  const now = services.now()
  const runAt = await timeAfterEarlier(db, now, row.id)
  if (runAt) return { runAt }
  const askUntil = row.askUntil ?? formatShanghaiTime(new Date(now.getTime() + ASK_DAYS * 24 * 3_600_000))
  const isOver = parseShanghaiTime(askUntil) <= now
  if (isOver && row.state === PLATFORM_ACTION_STATE.done) return undefined
  const target = await findPlatform(db, services, row)
  if (target) return { work: { ...target, ask: askOf(row) }, patch: { askUntil } }
  if (row.state === PLATFORM_ACTION_STATE.done) return undefined
  const patch = { askUntil, failReason: NO_ACCOUNT }
  if (isOver) return { answer: { outcome: 'unknown', patch } }
  return { runAt: new Date(now.getTime() + ACCOUNT_AGAIN_S * 1_000), patch }
}

async function act({ services, tenantId, row, work }: Action): Promise<OutboundAnswer<AskRow>> {
  if (!row.known) work.ask.known = await keepKnown(services, tenantId, row.id, work)
  await work.platform.order.act(work.connection, work.ask)
  return { outcome: 'done', patch: { failReason: null } }
}

/** Reads the order at the platform: it shows whether an action was done, whatever the answer was. */
async function findDone({ work: { platform, connection, ask } }: Action): Promise<OutboundAnswer<AskRow> | undefined> {
  const isDone = platform.order.isDone(ask, await platform.order.read(connection, ask.orderNo))
  return isDone ? { outcome: 'done', patch: { failReason: null } } : undefined
}

/** Reads the order again, also after a crash that followed the action, and after a refusal: it decides. */
async function followOrder({ services, tenantId, work: { platform, shop, connection, ask } }: Action): Promise<void> {
  const platformOrder = await platform.order.read(connection, ask.orderNo)
  await services.unit({ tenantId }, (db) => applyPlatformOrder(db, services, { platform, shop, platformOrder }))
}

export const platformActionCall = defineOutboundCall<AskRow, ActionWork>({
  queue: PLATFORM_ACTION_QUEUE,
  sweep: {
    queue: 'platform.asks',
    cron: '*/10 * * * *',
    crossTenantReason: 'what platforms were asked by all tenants and have not confirmed',
  },
  rows: callRowsOf(platformAsk, 'state'),
  fields: {
    state: 'state',
    reason: 'failReason',
    attempts: 'tries',
    doneTime: 'doneTime',
    expireTime: 'askUntil',
  },
  states: {
    queued: PLATFORM_ACTION_STATE.asked,
    sent: PLATFORM_ACTION_STATE.sent,
    unclear: PLATFORM_ACTION_STATE.unclear,
    done: PLATFORM_ACTION_STATE.done,
    failed: PLATFORM_ACTION_STATE.failed,
    unknown: PLATFORM_ACTION_STATE.unanswered,
  },
  prepare,
  send: act,
  find: findDone,
  doubtsRefusals: true,
  explain: ({ message }) => ({ failReason: message.slice(0, 500) }),
  follow: followOrder,
  concurrency: 8,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) =>
    attempt > QUICK_TRIES
      ? Math.min(QUICK_S * 2 ** (attempt - QUICK_TRIES), SELDOM_S)
      : Math.min(2 ** attempt, QUICK_S),
})

/**
 * Returns when to look again while an earlier delivery step of the order is open, as steps are reported in order.
 * Undefined when this one may go.
 */
async function timeAfterEarlier(db: Db, now: Date, id: string): Promise<Date | undefined> {
  const earlier = await db.one<{ seconds: number }>(sql`select
      extract(epoch from clock_timestamp() - a.create_time)::float8 as seconds from platform_ask a
      join platform_ask e on e.tenant_id = a.tenant_id
      and e.platform = a.platform and e.platform_order_no = a.platform_order_no
      and e.kind = any(${DELIVERY_STEPS}::text[]) and e.state = any(${[...OPEN_ACTION_STATES]}::text[]) and e.id < a.id
    where a.tenant_id = ${db.tenantId} and a.id = ${id} and a.kind = any(${DELIVERY_STEPS}::text[])
      and a.create_time > clock_timestamp() - ${EARLIER} limit 1`)
  if (!earlier) return undefined
  const waitS = Math.min(Math.max(SOON_S, earlier.seconds / 4), LATE_S)
  return new Date(now.getTime() + waitS * 1_000)
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
async function keepKnown(
  services: Services,
  tenantId: string,
  id: string,
  { platform, connection, ask }: ActionWork,
): Promise<string[]> {
  if (ask.kind !== 'refundPart') return []
  const { refunds } = await platform.order.read(connection, ask.orderNo)
  const known = refunds.map(({ refundNo }) => refundNo)
  await services.unit({ tenantId }, (db) => db.update(platformAsk, id, { known }))
  return known
}
