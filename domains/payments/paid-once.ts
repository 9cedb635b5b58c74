import { sql, together, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'

/** Money that stays in the house: what somebody writes beside it is a note, not the number of a payment. */
const OWN_CHANNELS = ['cash', 'balance']

/**
 * Refuses a number of the payment platform's that has paid something already: an order, a recharge or a fee. Whoever
 * comes with the same number meanwhile waits. A number stays used when its money went back: it would go back twice; and
 * under the name of another channel.
 */
export async function requireUnused(db: Db, channel: string, transactionNo: string | null | undefined): Promise<void> {
  if (!transactionNo || OWN_CHANNELS.includes(channel)) return
  const elsewhere = sql`tenant_id = ${db.tenantId} and transaction_no = ${transactionNo}
    and pay_type <> all(${OWN_CHANNELS}::text[])`
  const [, used] = await together([
    db.lockName(`transaction/${transactionNo}`),
    db.one<{ no: string }>(sql`
      select order_no as no from shopping_order where ${elsewhere}
      union all select recharge_no from recharge_log where ${elsewhere}
      union all select fee_no from annual_fee_log where ${elsewhere} limit 1`),
  ])
  if (used) throw new Refused('transaction_used', { transactionNo, no: used.no }, { field: 'transactionNo' })
}

type Paid = { payType: string | null; transactionNo?: string | null }

/**
 * Whether what is told again under a number is the payment that was told before: money that was paid twice is not one
 * payment.
 */
export const isSamePayment = (known: Paid, told: Paid): boolean =>
  known.payType === told.payType && (known.transactionNo || null) === (told.transactionNo || null)
