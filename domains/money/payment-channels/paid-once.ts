import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { isOwnChannel, transactionUsesSql } from './payables.ts'

/** What holds a number of the payment platform while somebody decides what it pays or whether it goes back. */
const lockNumber = (db: Db, transactionNo: string): Promise<unknown> => db.advisoryLock(`transaction/${transactionNo}`)

/**
 * Holds a number that is about to pay, before the customer it pays for: a sale asks for it first of all, and who held
 * them the other way round would wait for it in a circle.
 */
export const lockTransactionNo = async (
  db: Db,
  channel: string,
  transactionNo: string | null | undefined,
): Promise<void> => {
  if (transactionNo && !isOwnChannel(channel)) await lockNumber(db, transactionNo)
}

/**
 * What a number of the payment platform has paid, or came back from, whatever the module: undefined for one that is
 * new.
 * Whoever comes with the same number meanwhile waits.
 */
export async function findTransactionUse(
  db: Db,
  transactionNo: string,
): Promise<{ payable: string; no: string } | undefined> {
  const [, used] = await awaitBatch([
    lockNumber(db, transactionNo),
    db.one<{ payable: string; no: string }>(
      sql`${transactionUsesSql(sql`${db.tenantId}`, sql`${transactionNo}`)} limit 1`,
    ),
  ])
  return used
}

/**
 * Refuses a number of the payment platform's that has paid something already, whatever it was, or that went back. A
 * number stays used when its money went back: it would go back twice; and under the name of another channel.
 */
export async function requireUnusedTransactionNo(
  db: Db,
  channel: string,
  transactionNo: string | null | undefined,
): Promise<void> {
  if (!transactionNo || isOwnChannel(channel)) return
  const used = await findTransactionUse(db, transactionNo)
  if (used) throw new Refused('transaction_used', { transactionNo, no: used.no }, { field: 'transactionNo' })
}

type Paid = { payType: string | null; transactionNo?: string | null }

/**
 * Whether what is told again under a number is the payment that was told before: money that was paid twice is not one
 * payment.
 */
export const isSamePayment = (known: Paid, told: Paid): boolean =>
  known.payType === told.payType && (known.transactionNo || null) === (told.transactionNo || null)
