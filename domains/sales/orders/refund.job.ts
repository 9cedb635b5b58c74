import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { defineRequeueJob } from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { succeedRefund } from './finish-refund.ts'
import {
  chooseRefundProvider,
  isOwnChannel,
  refundNoAfter,
  DEFAULT_PROVIDER,
  sendRefund,
  type ChannelRefundResult,
  type RefundRedirectTarget,
} from '#domains/money/payment-channels/api.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { hasAbnormalRefundPart } from './redirect-refund.ts'
import { refundQueue, enqueueRefund, publishRefund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

type RefundPaymentPart = {
  id: string
  payableId: string
  /** Cents of the whole payment that this part refunds. */
  total: number
  channel: string
  transactionNo: string | null
  amount: number
  outNo: string
  state: 'sent' | 'done' | 'failed'
  way: string | null
  attempts: number
  lastError: string | null
  redirectTo: string | null
  /** Sent to the provider; the time of the next query has not come. */
  isWaiting: boolean
}
type RefundInProgress = { parts: RefundPaymentPart[]; reason: string }

const partsOf = (db: Db, refundId: string) =>
  db.query<RefundPaymentPart>(
    sql`select r.id, r.order_id as payable_id, p.amount as total, r.channel, r.transaction_no, r.amount, r.out_no,
      r.state, r.way, r.attempts, r.last_error, r.redirect_to, r.ask_time is not null as is_waiting
      from refund_payment r join order_payment p on p.tenant_id = r.tenant_id and p.id = r.payment_id
      where r.tenant_id = ${db.tenantId} and r.refund_id = ${refundId} and r.state in ('sent', 'done', 'failed')
      order by r.id`,
  )

/**
 * Chooses and stores the provider of each part, once. Parts sent before providers could be chosen used the default one.
 */
async function assignProviders(services: Services, db: Db, parts: readonly RefundPaymentPart[]): Promise<void> {
  for (const part of parts) {
    if (part.way || part.state !== 'sent') continue
    part.way = part.attempts > 1 ? DEFAULT_PROVIDER : await chooseRefundProvider(services, db, part)
    await db.run(sql`update refund_payment set way = ${part.way} where tenant_id = ${db.tenantId} and id = ${part.id}`)
  }
}

const REDIRECT_HOLD_S = 60

/**
 * Lets one job send the parts that go to another account. The provider has no idempotency number for that, so two jobs
 * could pay twice.
 */
const lockRedirects = (services: Services, db: Db, refundId: string) =>
  db.run(sql`update refund_payment set ask_time = ${new Date(services.now().getTime() + REDIRECT_HOLD_S * 1000)}
    where tenant_id = ${db.tenantId} and refund_id = ${refundId} and state = 'sent' and redirect_to is not null
    and ask_time is null`)

/**
 * Marks the parts as sent before they are, so that after a crash the same number is sent again, which pays only once.
 */
const markSent = (services: Services, tenantId: string, refundId: string): Promise<RefundInProgress | undefined> =>
  services.unit({ tenantId }, async (db) => {
    const refund = await db.get(refunds, refundId, 'forUpdate')
    if (!refund || (refund.status !== REFUND_STATE.approved && refund.status !== REFUND_STATE.processing))
      return undefined
    await db.run(
      sql`update refund_payment set state = 'sent', sent_time = coalesce(sent_time, now()), attempts = attempts + 1,
        ask_time = null
        where tenant_id = ${tenantId} and refund_id = ${refundId} and state in ('asked', 'sent')
        and (ask_time is null or ask_time <= ${services.now()})`,
    )
    if (refund.status === REFUND_STATE.approved) await transition(db, refunds, refundId, 'send')
    const parts = await partsOf(db, refundId)
    await assignProviders(services, db, parts)
    await lockRedirects(services, db, refundId)
    return { parts, reason: refund.reason ?? '' }
  })

/**
 * Sends a part to its provider. Cash and balance make no external call to log; a provider other than the default one
 * logs its own calls.
 */
function askChannel(
  services: Services,
  tenantId: string,
  part: RefundPaymentPart,
  more: RefundCall,
): Promise<ChannelRefundResult> {
  const { channel, transactionNo, outNo, amount, way } = part
  const redirect = part.redirectTo
    ? (JSON.parse(secretCipherOf(services).open(part.redirectTo)) as RefundRedirectTarget)
    : undefined
  const ask = () => sendRefund(services, way!, { ...part, ...more, tenantId, isAgain: part.attempts > 1, redirect })
  if (isOwnChannel(channel) || way !== DEFAULT_PROVIDER) return ask()
  return callAndLogExternal(
    services,
    {
      tenantId,
      system: 'payment',
      method: 'POST',
      url: `${channel}/refunds`,
      request: { channel, transactionNo, outNo, amount },
    },
    ask,
    (answer) => ({ bizCode: answer.state, response: answer }),
  )
}
type RefundCall = { reason: string; signal: AbortSignal }

/** Seconds until a part is queried again, by the number of attempts. */
const ASK_AFTER_S = [60, 300, 900, 3600]
const SECOND_MS = 1000

async function noteAnswer(
  services: Services,
  db: Db,
  part: RefundPaymentPart,
  answer: ChannelRefundResult,
): Promise<void> {
  const { tenantId } = db
  // The part may have a new number meanwhile; then this answer is not about it.
  const mine = sql`where id = ${part.id} and tenant_id = ${tenantId} and state = 'sent' and out_no = ${part.outNo}`
  if (answer.state === 'done')
    return void (await db.run(
      sql`update refund_payment set state = 'done', done_time = now(), channel_refund_id = ${answer.channelRefundId},
        last_error = null ${mine}`,
    ))
  if (answer.state === 'refused')
    return void (await db.run(
      sql`update refund_payment set state = 'failed', last_error = ${answer.reason.slice(0, 500)},
        out_no = ${answer.isUsedUp ? refundNoAfter(part.outNo) : part.outNo} ${mine}`,
    ))
  const seconds = ASK_AFTER_S[part.attempts - 1] ?? ASK_AFTER_S.at(-1)!
  const askTime = new Date(services.now().getTime() + seconds * 1000)
  await db.run(sql`update refund_payment set ask_time = ${askTime}, last_error = ${answer.note.slice(0, 500)},
    is_abnormal = ${answer.isAbnormal === true}, redirect_to = null ${mine}`)
}

type Ended = { state: 'done' } | { state: 'refused'; reason: string } | { state: 'pending'; note: string }

async function sendPart(
  services: Services,
  tenantId: string,
  part: RefundPaymentPart,
  more: RefundCall,
): Promise<Ended> {
  try {
    const answer = await askChannel(services, tenantId, part, more)
    await services.unit({ tenantId }, (db) => noteAnswer(services, db, part, answer))
    return answer
  } catch (error) {
    await services.unit({ tenantId }, (db) =>
      db.run(
        sql`update refund_payment set last_error = ${String(error).slice(0, 500)} where id = ${part.id}
          and tenant_id = ${tenantId}`,
      ),
    )
    throw error
  }
}

/** Notes that parts are still under way at the provider, and enqueues the next query. */
const wait = (services: Services, tenantId: string, refundId: string, note: string): Promise<void> =>
  services.unit({ tenantId }, async (db) => {
    const refund = await db.get(refunds, refundId, 'forUpdate')
    if (refund?.status !== REFUND_STATE.processing) return
    const isAbnormal = await hasAbnormalRefundPart(db, refundId)
    if (refund.channelNote !== note || (refund.isAbnormal ?? false) !== isAbnormal)
      publishRefund(db, await db.update(refunds, refundId, { channelNote: note, isAbnormal }))
    const next = await db.one<{ askTime: string | null }>(
      sql`select min(ask_time) as ask_time from refund_payment where tenant_id = ${tenantId}
        and refund_id = ${refundId} and state = 'sent'`,
    )
    // The text has no milliseconds; a moment too early the part would not be due yet.
    if (next?.askTime)
      await enqueueRefund(db, refundId, { runAt: new Date(parseShanghaiTime(next.askTime).getTime() + SECOND_MS) })
  })

const fail = (services: Services, tenantId: string, refundId: string, reason: string): Promise<void> =>
  services.unit({ tenantId }, async (db) => {
    await transition(db, refunds, refundId, 'fail', {
      failReason: reason.slice(0, 500),
      channelNote: null,
      isAbnormal: false,
    })
  })

/**
 * Seconds after which the lock on a refund expires when its holder died. One job works on a refund at a time, over all
 * servers.
 */
const HOLD_S = 20
const AGAIN_S = 2

async function processRefund({ services, tenantId, refundId, signal }: Carried): Promise<void> {
  const held = await markSent(services, tenantId, refundId)
  if (!held) return
  const ended: Ended[] = []
  for (const part of held.parts) {
    if (part.state === 'done') continue
    if (part.state === 'failed') ended.push({ state: 'refused', reason: part.lastError ?? '' })
    else if (part.isWaiting) ended.push({ state: 'pending', note: part.lastError ?? '' })
    else ended.push(await sendPart(services, tenantId, part, { reason: held.reason, signal }))
  }
  const pending = ended.find((one) => one.state === 'pending')
  const refused = ended.findLast((one) => one.state === 'refused')
  if (pending) await wait(services, tenantId, refundId, pending.note)
  else if (refused) await fail(services, tenantId, refundId, refused.reason)
  else await services.unit({ tenantId }, (db) => succeedRefund(db, refundId, services.now()))
}
type Carried = { services: Services; tenantId: string; refundId: string; signal: AbortSignal }

/** Sends the money of an approved refund and finishes it. Every step bears repetition. */
export const sendRefundJob = defineModuleJob({
  queue: refundQueue,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ refundId }, { tenantId, services, signal, jobId }) => {
    const key = tenantSharedKey(tenantId, 'refund', refundId)
    if (!(await services.shared.claim(key, jobId, HOLD_S))) {
      const soon = new Date(services.now().getTime() + AGAIN_S * SECOND_MS)
      return services.unit({ tenantId }, (db) => enqueueRefund(db, refundId, { runAt: soon }))
    }
    try {
      await processRefund({ services, tenantId, refundId, signal })
    } finally {
      await services.shared.forget(key)
    }
  },
})

/** Sends refunds again that are on their way and have no job. */
export const requeueStalledRefundsJob = defineRequeueJob({
  queue: refundQueue.name,
  payloadKey: 'refundId',
  openSql: () =>
    sql`select id, tenant_id from refunds where status in (${REFUND_STATE.approved}, ${REFUND_STATE.processing})`,
  sweep: {
    queue: 'refund.sweep',
    cron: '*/5 * * * *',
    crossTenantReason: 'refunds of all tenants that stopped on their way',
  },
})

/** Queries a refund at once because the provider reported a change. The report itself is not trusted. */
export async function checkRefundNow(db: Db, outNo: string): Promise<void> {
  const part = await db.one<{ refundId: string }>(
    sql`update refund_payment set ask_time = null where tenant_id = ${db.tenantId} and out_no = ${outNo}
      and state in ('asked', 'sent') returning refund_id`,
  )
  if (part) await enqueueRefund(db, part.refundId)
}
