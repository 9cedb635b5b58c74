import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { bill } from './bill.resource.ts'
import { BILL_STATE } from './dictionaries.ts'
import { makeBill, billPeriodOf } from './make-bill.ts'
import { saveTakenFee } from './taken-fee.ts'

type Line = {
  merchantId: string
  /** When the line was counted, a date of Shanghai. */
  day: string
  kind: 'pay' | 'refund'
  orderNo: string
  refundNo: string | null
  /** Of a payment, its number at the platform. */
  transactionNo: string | null
}

/** Lines of a payment or refund: of the day's bill first, then of the month's, where that was made. */
const linesOf = (db: Db, { kind, orderNo, refundNo, transactionNo }: Line) =>
  db.query<{ id: string; billId: string; billType: 'day' | 'month'; fee: number }>(
    sql`select d.id, d.bill_id, b.bill_type, d.fee from merchant_bill_detail d
      join merchant_bill b on b.id = d.bill_id and b.tenant_id = d.tenant_id
      where d.tenant_id = ${db.tenantId} and d.order_no = ${orderNo} and d.kind = ${kind}
      and d.refund_no is not distinct from ${refundNo}
      and (d.kind = 'refund' or coalesce(d.transaction_no, ${transactionNo}) is not distinct from ${transactionNo})
      and d.check_result not in ('missingHere', 'offline')
      order by b.bill_type, d.id`,
  )

/**
 * Takes the fee the platform says (cents; negative where it gives one back) into the day's bill that has the line, and
 * so into its net; where no bill has it yet, the bill of the day is made first. The month's bill follows where it was
 * made and nobody has checked it; bills that are made anew keep the fee. Refuses a day's bill somebody has checked, and
 * a line that is in no bill of that day all the same.
 */
export async function bookPlatformFee(db: Db, line: Line, fee: number): Promise<void> {
  let lines = await linesOf(db, line)
  const isBilled = () => lines[0]?.billType === 'day'
  if (!isBilled() && (await makeBill(db, line.merchantId, billPeriodOf('day', line.day), 'kept')))
    lines = await linesOf(db, line)
  if (!isBilled()) throw new Refused('bill_without_line', { day: line.day, orderNo: line.orderNo })
  for (const found of lines) {
    const row = (await db.get(bill, found.billId, 'forUpdate'))!
    if (row.status !== BILL_STATE.generated && row.status !== BILL_STATE.disputed) {
      if (found.billType === 'day') throw new Refused('bill_is_checked', { billNo: row.billNo })
      continue
    }
    const more = fee - found.fee
    await db.run(sql`update merchant_bill_detail set fee = ${fee}, update_time = now()
      where tenant_id = ${db.tenantId} and id = ${found.id}`)
    publishRowsChanged({ db }, bill, [await db.update(bill, row.id, { fee: row.fee! + more, net: row.net! - more })])
  }
  const number = line.kind === 'pay' ? line.transactionNo : line.refundNo
  if (number) await saveTakenFee(db, line.kind, number, fee)
}
