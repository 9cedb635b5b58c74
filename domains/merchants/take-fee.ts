import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { bill } from './bill.resource.ts'
import { BILL } from './dictionaries.ts'

type Line = { kind: 'pay' | 'refund'; orderNo: string; refundNo: string | null }

/**
 * Takes the fee the platform says (cents; negative where it gives one back) into the day's bill that has the line, and
 * so into its net. Refuses a bill somebody has checked, and a line no bill has.
 */
export async function takeFee(db: Db, { kind, orderNo, refundNo }: Line, fee: number): Promise<void> {
  const found = await db.one<{ id: string; billId: string; fee: number }>(
    sql`select d.id, d.bill_id, d.fee from merchant_bill_detail d
      join merchant_bill b on b.id = d.bill_id and b.tenant_id = d.tenant_id and b.bill_type = 'day'
      where d.tenant_id = ${db.tenantId} and d.order_no = ${orderNo} and d.kind = ${kind}
      and d.refund_no is not distinct from ${refundNo} and d.check_result not in ('missingHere', 'offline')
      order by d.id limit 1`,
  )
  if (!found) throw new Refused('not_found', { label: bill.label })
  const row = (await db.get(bill, found.billId, 'lock'))!
  if (row.status !== BILL.generated && row.status !== BILL.disputed)
    throw new Refused('bill_is_checked', { billNo: row.billNo })
  const more = fee - found.fee
  await db.run(sql`update merchant_bill_detail set fee = ${fee}, update_time = now()
    where tenant_id = ${db.tenantId} and id = ${found.id}`)
  publishChanged({ db }, bill, [await db.update(bill, row.id, { fee: row.fee! + more, net: row.net! - more })])
}
