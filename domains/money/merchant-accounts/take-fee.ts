import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { bill } from './bill.resource.ts'
import { BILL_STATE } from './dictionaries.ts'
import { makeBill, billPeriodOf } from './make-bill.ts'
import { saveTakenFee } from './taken-fee.ts'

type Line = {
  merchantId: string
  /** Date (Shanghai) of the bill the line belongs to. */
  day: string
  kind: 'pay' | 'refund'
  orderNo: string
  refundNo: string | null
  /** Number of a payment at WeChat Pay. */
  transactionNo: string | null
}

/** Bill lines of a payment or refund: in the daily bill first, then in the monthly one. */
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
 * Books the fee WeChat Pay reports (cents, negative when returned) in the line of the daily bill and in its net amount;
 * makes the bill first if needed. Also updates an unchecked monthly bill; remade bills keep the fee. Refuses when the
 * daily bill has been checked, or has no such line.
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
