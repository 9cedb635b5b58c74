import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { defineSystemText } from '#kit/server/system-words.ts'
import { formatShanghaiTime } from '#kit/server/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { bill } from './bill.resource.ts'
import { compareBillWithStatement } from './check-bill.ts'
import { BILL_STATE } from './dictionaries.ts'
import { parseStatement, StatementUnreadableError, type StatementLine } from './statement.ts'
import { findSubMerchantNumbers } from './merchant-terms.ts'

const QUEUE = 'bill.statement'
/** The platform keeps statements for three months; whoever is late by more reads a file by hand. */
const LOOK_BACK_DAYS = 10
const BILLS_MAX = 5000
/** The platform's statement has what was paid by its own means alone. */
const CHANNELS = ['wechat'] as const
/** No trade that day. */
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

/** What a bill's statement is asked with; nothing where it was read meanwhile or nobody can ask. */
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
 * What all numbers a merchant may have been paid by state of a day; why there is nothing, where none of them answers
 * and asking again would change that for none. A number nobody may ask about was mistyped, or is no longer the
 * provider's: what was booked by it stands as missing there.
 */
async function statementsOf(pay: WechatPay, day: string, numbers: readonly string[]): Promise<ParsedStatement> {
  const all: ParsedStatement[] = []
  for (const subMchid of numbers) all.push(await statementOf(() => pay.tradeBill(day, subMchid)))
  const read = all.filter((found) => Array.isArray(found))
  return read.length ? read.flat() : all[0]!
}

/** The statement of a number; why there is none, where asking again would change nothing. */
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
  // Somebody checked it or read a file while it was asked for.
  if (!isWaiting(row)) return
  const now = Array.isArray(found)
    ? await compareBillWithStatement(db, row, found, { now: formatShanghaiTime(services.now()), channels: CHANNELS })
    : row.statementProblem === found.problem
      ? row
      : await db.update(bill, id, { statementProblem: found.problem })
  if (now !== row) publishRowsChanged({ db }, bill, [now])
}

/** Fetches the statement of a bill, with the commit. */
export const enqueueStatementFetch = (db: Db, id: string): Promise<void> => db.enqueue(QUEUE, { id }, { key: id })

/** Fetches the trade bill of WeChat Pay for a bill nobody has compared yet, and compares it. */
export const fetchStatementJob = defineModuleJob<{ id: string }>({
  queue: QUEUE,
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
 * From the hour the platform has yesterday's statements ready, each hour until the afternoon: what was not there is
 * asked for again, and a bill that was made anew at night is compared anew.
 */
export const enqueueStatementFetchesJob = defineModuleJob({
  queue: 'bill.statements',
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
