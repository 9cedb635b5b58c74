import type { Call } from '#kit/server/module.ts'
import { succeedFailedRefund } from './finish-refund.ts'
import { publishRefund, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

/**
 * Somebody has paid out by hand what the platform will not send back: the refund succeeds with what of it went by
 * itself. Call it with the refund locked and failed.
 */
export async function completeRefundByHand(
  { db, services }: Pick<Call, 'db' | 'services'>,
  refund: Refund,
  how: string,
): Promise<Refund> {
  await succeedFailedRefund(db, refund.id, 'byHand', services.now())
  const done = await db.update(refunds, refund.id, { channelNote: how })
  publishRefund(db, done)
  return done
}
