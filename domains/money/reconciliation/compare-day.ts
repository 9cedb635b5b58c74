import { createHash } from 'node:crypto'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { readFundFlow, readTradeBill } from '#domains/money/merchant-accounts/api.ts'
import { platformOf, shopAt, type PlatformSettlement } from '#domains/sales/delivery-platforms/api.ts'
import type { BillFile } from '#domains/money/wechat-pay/api.ts'
import { saveMismatches, type DayTotals } from './save-mismatches.ts'
import { saveFundFlowLines, savePlatformSettlementLines, saveTradeLines } from './keep-lines.ts'
import { matchOrders } from './match-platform.ts'
import {
  MISMATCHES_MAX,
  matchFlows,
  matchShares,
  matchTrades,
  type StatementLeg,
  type WechatAccountDay,
} from './match-wechat.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'

type Day = RowOf<typeof reconciliationDay>

/** The account whose day is compared. */
export type ComparedAccount = Pick<Day, 'side' | 'accountNo' | 'accountName' | 'merchantId' | 'shopId'>

/** Fetched statements: WeChat Pay's files (none on days without payments), or a delivery platform's settlements. */
export type FetchedStatement =
  | { trades: readonly BillFile[]; flows: readonly BillFile[] }
  | { settled: PlatformSettlement[] }

const TOO_MANY = defineSystemText({
  zh: '差异超过五万条：这份账单不像是这个账户这一天的',
  en: 'More than 50,000 discrepancies. This is probably not the statement of this account and day.',
})

/** Locks the day of an account; creates it the first time. */
export async function lockAccountDay(db: Db, account: ComparedAccount, day: string): Promise<Day> {
  await db.advisoryLock(`tally/${account.side}/${account.accountNo}/${day}`)
  const [row] = await db.find(
    reconciliationDay,
    sql`r.side = ${account.side} and r.account_no = ${account.accountNo} and r.day = ${day}`,
    sql`for update`,
  )
  return row ?? db.insert(reconciliationDay, { ...account, day })
}

const digestOf = (fetched: FetchedStatement): string =>
  createHash('sha256')
    .update(
      'settled' in fetched
        ? JSON.stringify(fetched.settled)
        : [fetched.trades, fetched.flows].map((files) => files.map(({ hash }) => hash).join(' ')).join('/'),
    )
    .digest('hex')

/**
 * Stores the fetched statement of a day and compares the day, in the caller's transaction. Files that were read before
 * are not read again; without files the stored lines are compared. Repeating it changes nothing.
 */
export async function compareDay(services: Services, db: Db, row: Day, fetched?: FetchedStatement): Promise<Day> {
  const digest = fetched && digestOf(fetched)
  if (fetched && digest !== row.digest) {
    if ('settled' in fetched) await savePlatformSettlementLines(db, row.id, asSinglePart(fetched.settled))
    else {
      await saveTradeLines(db, row.id, readAll(fetched.trades, readTradeBill))
      await saveFundFlowLines(db, row.id, readAll(fetched.flows, readFundFlow))
    }
    await db.update(reconciliationDay, row.id, { digest })
  }
  const { found, totals } =
    row.side === 'wechat' ? await matchWechatLegs(db, row) : await platformLegs(services, db, row)
  if (found.length > MISMATCHES_MAX) return db.update(reconciliationDay, row.id, { problem: TOO_MANY })
  return saveMismatches(db, row, found, totals, services.now())
}

/** Yields a whole value as a single part. */
export async function* asSinglePart<T>(all: T): AsyncGenerator<T> {
  yield all
}

async function* readAll<T>(files: readonly BillFile[], read: (text: AsyncIterable<string>) => AsyncGenerator<T>) {
  for (const file of files) yield* read(file.text())
}

type Legs = { found: StatementLeg['found']; totals: DayTotals }

/** Compares a WeChat Pay day: trades, fund flow and shares. Returns the differences and the totals of the day. */
export async function matchWechatLegs(db: Db, { id, merchantId, accountNo, day }: Day): Promise<Legs> {
  const that: WechatAccountDay = { id, merchantId: merchantId!, accountNo: accountNo!, day: day! }
  const trades = await matchTrades(db, that)
  const flows = await matchFlows(db, that)
  const shares = await matchShares(db, that)
  const account = (await db.one<{ withdrawn: number; balance: number | null; count: number }>(
    sql`select coalesce(-sum(amount) filter (where source = 'flow' and kind = 'withdraw'), 0)::bigint as withdrawn,
      (select received from tally_line where tenant_id = ${db.tenantId} and day_id = ${id} and source = 'flow'
        order by id desc limit 1) as balance, count(*)::int as count
      from tally_line where tenant_id = ${db.tenantId} and day_id = ${id}`,
  ))!
  return {
    found: [...trades.found, ...flows.found, ...shares.found],
    totals: {
      ours: trades.ours + shares.ours,
      stated: trades.theirs,
      moved: flows.theirs + shares.theirs,
      withdrawn: account.withdrawn,
      balanceTo: account.balance,
      lineCount: account.count,
    },
  }
}

async function platformLegs(services: Services, db: Db, { id, side, accountNo, shopId, day }: Day): Promise<Legs> {
  const platform = platformOf(services, side!)
  const shop = platform && (await shopAt(db, platform, accountNo!))
  if (!shop) return { found: [], totals: { ours: 0, stated: 0, moved: 0 } }
  const leg = await matchOrders(db, platform, { id, thereId: shop.id, shopId: shopId!, day: day! })
  const lines = (await db.one<{ count: number }>(
    sql`select count(*)::int as count from tally_line where tenant_id = ${db.tenantId} and day_id = ${id}`,
  ))!
  return {
    found: leg.found,
    totals: { ours: leg.ours, stated: leg.theirs, moved: leg.theirs, lineCount: lines.count },
  }
}
