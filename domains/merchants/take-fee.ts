import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { bill } from './bill.resource.ts'
import { BILL } from './dictionaries.ts'
import { makeBill, periodOf } from './make-bill.ts'

type Line = {
  merchantId: string
  /** When the line was counted, a date of Shanghai. */
  day: string
  kind: 'pay' | 'refund'
  orderNo: string
  refundNo: string | null
}

const lineOf = (db: Db, { kind, orderNo, refundNo }: Line) =>
  db.one<{ id: string; billId: string; fee: number }>(
    sql`select d.id, d.bill_id, d.fee from merchant_bill_detail d
      join merchant_bill b on b.id = d.bill_id and b.tenant_id = d.tenant_id and b.bill_type = 'day'
      where d.tenant_id = ${db.tenantId} and d.order_no = ${orderNo} and d.kind = ${kind}
      and d.refund_no is not distinct from ${refundNo} and d.check_result not in ('missingHere', 'offline')
      order by d.id limit 1`,
  )

/**
 * Takes the fee the platform says (cents; negative where it gives one back) into the day's bill that has the line, and
 * so into its net; where no bill has it yet, the bill of the day is made first. Refuses a bill somebody has checked,
 * and a line that is in no bill of that day all the same.
 */
export async function takeFee(db: Db, line: Line, fee: number): Promise<void> {
  let found = await lineOf(db, line)
  if (!found && (await makeBill(db, line.merchantId, periodOf('day', line.day), 'kept'))) found = await lineOf(db, line)
  if (!found) throw new Refused('bill_without_line', { day: line.day, orderNo: line.orderNo })
  const row = (await db.get(bill, found.billId, 'lock'))!
  if (row.status !== BILL.generated && row.status !== BILL.disputed)
    throw new Refused('bill_is_checked', { billNo: row.billNo })
  const more = fee - found.fee
  await db.run(sql`update merchant_bill_detail set fee = ${fee}, update_time = now()
    where tenant_id = ${db.tenantId} and id = ${found.id}`)
  publishChanged({ db }, bill, [await db.update(bill, row.id, { fee: row.fee! + more, net: row.net! - more })])
}
