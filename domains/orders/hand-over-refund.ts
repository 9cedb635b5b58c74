import { sql } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module.ts'
import { REFUND } from './dictionaries.ts'
import { succeedRefund } from './finish-refund.ts'
import { publishRefund, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

/**
 * Somebody has paid out by hand what the platform will not send back: the refund succeeds with what of it went by
 * itself, and the platform is asked for none of it any more. Call it with the refund locked and failed: what failed was
 * refused there, so that nothing of it is under way.
 */
export async function handOverRefund(
  { db, services }: Pick<Call, 'db' | 'services'>,
  refund: Refund,
  how: string,
): Promise<Refund> {
  await db.run(sql`update refund_payment set state = 'done', is_handed_over = true, done_time = now(), last_error = null
    where tenant_id = ${db.tenantId} and refund_id = ${refund.id} and state = 'failed'`)
  await db.update(refunds, refund.id, { status: REFUND.processing })
  await succeedRefund(db, refund.id, services.now())
  const done = await db.update(refunds, refund.id, { channelNote: how })
  publishRefund(db, done)
  return done
}
