import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { bill } from './bill.resource.ts'
import { compareBillWithStatement } from './check-bill.ts'
import { BILL_STATE } from './dictionaries.ts'
import { parseStatement, StatementUnreadableError, type StatementLine } from './statement.ts'
import { findSubMerchantNumbers } from './merchant-terms.ts'

const fetchStatementQueue = defineQueue<{ id: string }>('bill.statement')
/**
 * Days for which missing statements are fetched. WeChat Pay keeps them for three months; older ones are uploaded by
 * hand.
 */
const LOOK_BACK_DAYS = 10
const BILLS_MAX = 5000
/** Channels in WeChat Pay's statement. */
const CHANNELS = ['wechat'] as const
/** Error code for a day without any payment. */
const NONE = 'NO_STATEMENT_EXIST'

const UNREADABLE = defineSystemText({
  zh: '微信支付的对账单无法读取，请在商户平台下载后手工导入',
  en: 'The WeChat Pay statement could not be read. Download it from the merchant platform and import it manually.',
})
const REFUSED = defineSystemText({
  zh: '微信支付没有给出对账单，请检查服务商账号与这个商户的授权关系',
  en: 'WeChat Pay returned no statement. Check whether the service provider is authorized for this merchant.',
})

type Bill = RowOf<typeof bill>
type ParsedStatement = StatementLine[] | { problem: string }

const isWaiting = (row: Bill | undefined): row is Bill =>
  !!row && row.billType === 'day' && row.status === BILL_STATE.generated && !row.statementTime

/**
 * Returns the account, date and numbers to fetch a bill's statement; undefined if it is not waiting for one, or there
 * is no account or number.
 */
const hold = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const [row, account] = [await db.get(bill, id), await findWechatAccount(services, db)]
    if (!isWaiting(row) || !account) return undefined
    const numbers = (await findSubMerchantNumbers(db, row.periodStart!, row.merchantId!)).map(
      ({ subMchid }) => subMchid,
    )
    return numbers.length ? { day: row.periodStart!, account, numbers } : undefined
  })

/**
 * Fetches the statements of all numbers of a merchant for a day. A number without access is skipped if another answers:
 * it was mistyped or is no longer ours, and its payments show as missing there. With no answer at all returns the first
 * problem.
 */
async function statementsOf(pay: WechatPay, day: string, numbers: readonly string[]): Promise<ParsedStatement> {
  const all: ParsedStatement[] = []
  for (const subMchid of numbers) all.push(await statementOf(() => pay.tradeBill(day, subMchid)))
  const read = all.filter((found) => Array.isArray(found))
  return read.length ? read.flat() : all[0]!
}

/** Fetches one statement; returns the problem when a retry would not help, throws otherwise. */
async function statementOf(load: () => Promise<string>): Promise<ParsedStatement> {
  try {
    return await parseStatement(await load())
  } catch (error) {
    if (error instanceof StatementUnreadableError) return { problem: UNREADABLE }
    if (!(error instanceof VendorError) || error.isRetryable) throw error
    if (error.code === NONE) return []
    if (!error.isUndone) throw error
    return { problem: REFUSED }
  }
}

async function saveStatement(db: Db, services: Services, id: string, found: ParsedStatement): Promise<void> {
  const row = await db.get(bill, id, 'forUpdate')
  // Somebody checked the bill or uploaded a file meanwhile.
  if (!isWaiting(row)) return
  const now = Array.isArray(found)
    ? await compareBillWithStatement(db, row, found, { now: formatShanghaiTime(services.now()), channels: CHANNELS })
    : row.statementProblem === found.problem
      ? row
      : await db.update(bill, id, { statementProblem: found.problem })
  if (now !== row) publishRowsChanged({ db }, bill, [now])
}

/** Queues fetching the statement of a bill with the commit. */
export const enqueueStatementFetch = (db: Db, id: string): Promise<void> =>
  db.enqueue(fetchStatementQueue, { id }, { key: id })

/** Fetches WeChat Pay's trade bill for a bill that has not been compared yet, and compares it. */
export const fetchStatementJob = defineModuleJob({
  queue: fetchStatementQueue,
  concurrency: 2,
  timeoutSeconds: 600,
  run: async ({ id }, { tenantId, services }) => {
    const held = await hold(services, tenantId, id)
    if (!held) return
    const pay = createWechatPay(services, held.account)
    const found = await statementsOf(pay, held.day, held.numbers)
    await services.unit({ tenantId }, (db) => saveStatement(db, services, id, found))
  },
})

/**
 * Queues fetching of missing statements every hour from 10:30, when yesterday's are available, to 16:30. Includes bills
 * that were remade at night.
 */
export const enqueueStatementFetchesJob = defineModuleJob({
  queue: defineQueue('bill.statements'),
  cron: '30 10-16 * * *',
  run: async (_payload, { services }) => {
    const today = formatShanghaiTime(services.now()).slice(0, 10)
    const waiting = await services.unit({ crossTenantReason: 'statements of all tenants are fetched by day' }, (db) =>
      db.query<{ id: string; tenantId: string }>(
        sql`select b.id, b.tenant_id from merchant_bill b
          where exists (select 1 from merchant_info m where m.id = b.merchant_id and m.tenant_id = b.tenant_id
            and m.sub_mchid is not null union all select 1 from merchant_term t where t.tenant_id = b.tenant_id
            and t.merchant_id = b.merchant_id and t.sub_mchid is not null) and b.bill_type = 'day'
          and b.status = ${BILL_STATE.generated} and b.statement_time is null
          and b.period_start >= ${today}::date - ${LOOK_BACK_DAYS}::int and b.period_start < ${today}::date
          and exists (select 1 from pay_account a where a.tenant_id = b.tenant_id and a.enabled and a.is_deleted = 0)
          order by b.tenant_id, b.period_start, b.id limit ${BILLS_MAX}`,
      ),
    )
    for (const { id, tenantId } of waiting) await services.unit({ tenantId }, (db) => enqueueStatementFetch(db, id))
  },
})
