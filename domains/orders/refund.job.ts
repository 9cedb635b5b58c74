import { loggedRequest } from '#domains/logs/doors.ts'
import { sql } from '#kit/server/database/db.ts'
import { defineRoomJob } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { REFUND } from './dictionaries.ts'
import { succeedRefund } from './finish-refund.ts'
import { paymentsOf, type ChannelAnswer } from '#domains/payments/doors.ts'
import { REFUND_QUEUE, sendLater, publishRefund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

type Part = { id: string; channel: string; transactionNo: string | null; amount: number; outNo: string; state: string }

/** Writes that the money is being sent, before it is: after a crash the same number is sent again and pays once. */
const markSent = (services: Services, tenantId: string, refundId: string): Promise<Part[] | undefined> =>
  services.unit({ tenantId }, async (db) => {
    const refund = await db.get(refunds, refundId, 'lock')
    if (!refund || (refund.status !== REFUND.approved && refund.status !== REFUND.processing)) return undefined
    await db.run(
      sql`update refund_payment set state = 'sent', sent_time = coalesce(sent_time, now()), attempts = attempts + 1
        where tenant_id = ${tenantId} and refund_id = ${refundId} and state in ('asked', 'sent')`,
    )
    if (refund.status === REFUND.approved)
      publishRefund(db, await db.update(refunds, refundId, { status: REFUND.processing }))
    return db.query<Part>(
      sql`select id, channel, transaction_no, amount, out_no, state from refund_payment
        where tenant_id = ${tenantId} and refund_id = ${refundId} and state in ('sent', 'done') order by id`,
    )
  })

/** Cash and balance stay in the house: there is no call to write down. */
function askChannel(services: Services, tenantId: string, part: Part, signal: AbortSignal): Promise<ChannelAnswer> {
  const ask = () => paymentsOf(services).refund({ ...part, signal })
  if (part.channel === 'cash' || part.channel === 'balance') return ask()
  const { channel, transactionNo, outNo, amount } = part
  return loggedRequest(
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

async function sendPart(
  services: Services,
  tenantId: string,
  part: Part,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await askChannel(services, tenantId, part, signal)
    await services.unit({ tenantId }, (db) =>
      answer.state === 'done'
        ? db.run(
            sql`update refund_payment set state = 'done', done_time = now(),
              channel_refund_id = ${answer.channelRefundId}, last_error = null where id = ${part.id}
              and tenant_id = ${tenantId} and state = 'sent'`,
          )
        : db.run(
            sql`update refund_payment set state = 'failed', last_error = ${answer.reason.slice(0, 500)}
              where id = ${part.id} and tenant_id = ${tenantId} and state = 'sent'`,
          ),
    )
    return answer.state === 'refused' ? answer.reason : undefined
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

const fail = (services: Services, tenantId: string, refundId: string, reason: string): Promise<void> =>
  services.unit({ tenantId }, async (db) => {
    const refund = await db.get(refunds, refundId, 'lock')
    if (refund?.status === REFUND.processing)
      publishRefund(db, await db.update(refunds, refundId, { status: REFUND.failed, failReason: reason.slice(0, 500) }))
  })

/** Sends the money of an approved refund and finishes it. Every step bears repetition. */
export const refundJob = defineRoomJob<{ refundId: string }>({
  queue: REFUND_QUEUE,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ refundId }, { tenantId, services, signal }) => {
    const parts = await markSent(services, tenantId, refundId)
    if (!parts) return
    let refused: string | undefined
    for (const part of parts)
      if (part.state === 'sent') refused = (await sendPart(services, tenantId, part, signal)) ?? refused
    if (refused !== undefined) await fail(services, tenantId, refundId, refused)
    else await services.unit({ tenantId }, (db) => succeedRefund(db, refundId, services.now()))
  },
})

/** Finds refunds on their way that no job carries any more, and sends them again. */
export const refundSweepJob = defineRoomJob({
  queue: 'refund.sweep',
  cron: '*/5 * * * *',
  run: async (_payload, { services }) => {
    const stuck = await services.unit({ across: 'refunds of all tenants that stopped on their way' }, (db) =>
      db.query<{ id: string; tenantId: string }>(
        sql`select id, tenant_id from refunds where status in (${REFUND.approved}, ${REFUND.processing})
            and update_time < now() - interval '5 minutes' limit 500`,
      ),
    )
    for (const { id, tenantId } of stuck) await services.unit({ tenantId }, (db) => sendLater(db, id))
  },
})
