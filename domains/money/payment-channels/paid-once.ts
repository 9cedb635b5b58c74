import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { isOwnChannel, transactionUsesSql } from './payables.ts'

/** Serializes decisions about a transaction number: what it pays for, or whether it is refunded. */
const lockNumber = (db: Db, transactionNo: string): Promise<unknown> => db.advisoryLock(`transaction/${transactionNo}`)

/**
 * Locks a transaction number that is about to be used, before the customer's row is locked: sales lock in this order,
 * and the opposite order would deadlock.
 */
export const lockTransactionNo = async (
  db: Db,
  channel: string,
  transactionNo: string | null | undefined,
): Promise<void> => {
  if (transactionNo && !isOwnChannel(channel)) await lockNumber(db, transactionNo)
}

/**
 * Returns what used or refunded a transaction number in any module; undefined for a new number. Callers with the same
 * number wait.
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
 * Refuses a transaction number that has paid for something or was refunded. It stays used after a refund, since it
 * would be refunded twice, and also under another channel.
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

/** Whether a payment reported again under the same number is the known one. A second payment is not. */
export const isSamePayment = (known: Paid, reported: Paid): boolean =>
  known.payType === reported.payType && (known.transactionNo || null) === (reported.transactionNo || null)
