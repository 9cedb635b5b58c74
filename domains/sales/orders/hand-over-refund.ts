import type { Call } from '#kit/server/module/module.ts'
import { succeedFailedRefund } from './finish-refund.ts'
import { publishRefund, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

/** Completes a failed refund because somebody paid the failed parts by hand. The caller has locked it. */
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
