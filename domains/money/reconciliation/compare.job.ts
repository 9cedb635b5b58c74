import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findSubMerchantNumbers, StatementUnreadableError } from '#domains/money/merchant-accounts/api.ts'
import {
  findPlatformAccount,
  platformOf,
  platformsOf,
  shopAt,
  type Platform,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import { findWechatAccount, createWechatPay, type BillFile, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { compareDay, lockAccountDay, type ComparedAccount, type FetchedStatement } from './compare-day.ts'
import { OPEN_DIFFERENCE_STATES } from './dictionaries.ts'
import { hasBookedLines } from './match-wechat.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'

const compareAccountDayQueue = defineQueue<ComparisonRequest & { isFetched: boolean }>('tally.day')
const DAY_MS = 86_400_000
/** Past days that are fetched while missing; the platforms keep statements for three months. */
const LOOK_BACK_DAYS = 3
/** Past days that are compared again every day while they have open differences. */
const OPEN_DAYS = 60
/** Error code for a day without payments. */
const NONE = 'NO_STATEMENT_EXIST'

const UNREADABLE = defineSystemText({
  zh: '平台给的账单无法读取',
  en: 'The platform statement could not be read',
})
const REFUSED = defineSystemText({
  zh: '平台没有给出账单，请检查账号与授权',
  en: 'The platform returned no statement. Check the account and its authorization.',
})

/**
 * Day to compare: `id` is the merchant, or our row of the shop at a delivery platform; `no` the merchant's WeChat Pay
 * number, by default the present one.
 */
type ComparisonRequest = { side: string; id: string; no?: string; day: string; isFetched?: boolean }

/** Queues fetching and comparing a day of an account; a second request before it starts is merged. */
const compareLater = (db: Db, { isFetched = true, ...ask }: ComparisonRequest): Promise<void> =>
  db.enqueue(
    compareAccountDayQueue,
    { ...ask, isFetched },
    { key: `${ask.side}/${ask.id}/${ask.no ?? ''}/${ask.day}/${isFetched}` },
  )

/** Queues comparing a day that exists, with a new fetch if `isFetched`. */
export async function enqueueComparison(services: Services, db: Db, dayId: string, isFetched: boolean): Promise<void> {
  const row = await db.get(reconciliationDay, dayId)
  if (!row) return
  const platform = platformOf(services, row.side!)
  const shop = platform && (await shopAt(db, platform, row.accountNo!))
  const id = shop?.id ?? row.merchantId
  const no = platform ? undefined : row.accountNo!
  if (id) await compareLater(db, { side: row.side!, id, no, day: row.day!, isFetched })
}

type Source = {
  account: ComparedAccount
  fetch: (day: string) => Promise<FetchedStatement>
  /** A former number, possibly mistyped: a refused statement is not reported unless we have payments of it. */
  isOld?: boolean
}

async function files(load: () => Promise<readonly BillFile[]>): Promise<readonly BillFile[]> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof VendorError && error.code === NONE) return []
    throw error
  }
}

const fetchWechat = async (pay: WechatPay, subMchid: string, day: string): Promise<FetchedStatement> => ({
  trades: await files(async () => [await pay.tradeFile(day, subMchid)]),
  flows: await files(() => pay.subFundFiles(day, subMchid)),
})

/**
 * Returns the account of a request with a function to fetch its statement; undefined when it can no longer be fetched.
 */
const sourceOf = (
  services: Services,
  tenantId: string,
  { side, id, no }: ComparisonRequest,
): Promise<Source | undefined> =>
  services.unit({ tenantId }, (db) =>
    side === 'wechat'
      ? wechatSource(services, db, id, no)
      : platformSource(services, db, platformOf(services, side), id),
  )

async function wechatSource(services: Services, db: Db, id: string, no?: string): Promise<Source | undefined> {
  const account = await findWechatAccount(services, db)
  const merchant = await db.one<{ name: string; subMchid: string | null }>(sql`select name, sub_mchid
    from merchant_info where tenant_id = ${db.tenantId} and id = ${id}`)
  const subMchid = no ?? merchant?.subMchid
  if (!account || !merchant || !subMchid) return undefined
  const { name } = merchant
  return {
    isOld: subMchid !== merchant.subMchid,
    account: { side: 'wechat', accountNo: subMchid, accountName: name.slice(0, 100), merchantId: id, shopId: null },
    fetch: (day) => fetchWechat(createWechatPay(services, account), subMchid, day),
  }
}

async function platformSource(services: Services, db: Db, platform: Platform | undefined, id: string) {
  const account = platform && (await findPlatformAccount(db, services, platform.name))
  const shop = platform && ((await db.get(platform.shop, id)) as PlatformRow | undefined)
  if (!account || !shop?.platformShopId) return undefined
  const own = await db.one<{ merchantId: string | null }>(sql`select merchant_id from basic_shop_info
    where tenant_id = ${db.tenantId} and id = ${shop.shopId}`)
  return {
    account: {
      side: platform.name,
      accountNo: String(shop.platformShopId),
      accountName: String(shop.name).slice(0, 100),
      merchantId: own?.merchantId ?? null,
      shopId: String(shop.shopId),
    },
    fetch: async (day: string) => ({
      settled: await platform.bill.read(platform.connect(services, account, shop), day),
    }),
  }
}

/** Fetches the statement; returns the problem as text when a retry would not help. */
async function fetched(source: Source, day: string): Promise<FetchedStatement | string> {
  try {
    return await source.fetch(day)
  } catch (error) {
    if (!(error instanceof VendorError) || error.isRetryable || !error.isUndone) throw error
    return REFUSED
  }
}

async function recordProblem(db: Db, source: Source, day: string, problem: string): Promise<void> {
  if (source.isOld && !(await isUsedOn(db, source.account, day))) return
  const row = await lockAccountDay(db, source.account, day)
  if (row.problem !== problem)
    publishRowsChanged({ db }, reconciliationDay, [await db.update(reconciliationDay, row.id, { problem })])
}

/** Whether our books have payments or refunds of a number on a day. */
const isUsedOn = async (db: Db, { merchantId, accountNo }: ComparedAccount, day: string): Promise<boolean> =>
  merchantId ? hasBookedLines(db, { id: '0', merchantId, accountNo: accountNo!, day }) : false

export const compareAccountDayJob = defineModuleJob({
  queue: compareAccountDayQueue,
  concurrency: 1,
  timeoutSeconds: 1800,
  run: async ({ day, isFetched, ...ask }, { tenantId, services }) => {
    const source = await sourceOf(services, tenantId, { ...ask, day })
    if (!source) return
    const within = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
    const found = isFetched ? await fetched(source, day) : undefined
    if (typeof found === 'string') return within((db) => recordProblem(db, source, day, found))
    try {
      await within(
        async (db) => void (await compareDay(services, db, await lockAccountDay(db, source.account, day), found)),
      )
    } catch (error) {
      if (!(error instanceof StatementUnreadableError)) throw error
      await within((db) => recordProblem(db, source, day, UNREADABLE))
    }
  },
})

/**
 * Queues, hourly once statements are available, the missing days of all accounts, and days with open differences, so
 * that late reports and resolved differences are noticed.
 */
export const enqueueDayComparisonsJob = defineModuleJob({
  queue: defineQueue('tally.days'),
  cron: '50 10-16 * * *',
  run: async (_payload, { services }) => {
    const now = services.now()
    const days = Array.from({ length: LOOK_BACK_DAYS }, (_none, n) =>
      formatShanghaiTime(new Date(now.getTime() - (n + 1) * DAY_MS)).slice(0, 10),
    )
    await services.unit({ crossTenantReason: 'the accounts of all tenants are compared by day' }, async (all) => {
      const tenants = await all.query<{ tenantId: string }>(
        sql`select tenant_id from pay_account where enabled and is_deleted = 0
          union select tenant_id from third_api where status = 1 and has_secret and is_deleted = 0 order by 1`,
      )
      for (const { tenantId } of tenants) await all.asTenant(tenantId, (db) => askAll(services, db, days))
    })
  },
})

async function askAll(services: Services, db: Db, days: readonly string[]): Promise<void> {
  const accounts: { side: string; id: string; accountNo: string; no?: string; days: readonly string[] }[] = []
  for (const day of days)
    for (const { merchantId, subMchid } of await findSubMerchantNumbers(db, day))
      accounts.push({ side: 'wechat', id: merchantId, accountNo: subMchid, no: subMchid, days: [day] })
  for (const platform of platformsOf(services))
    for (const shop of (await db.find(platform.shop, sql`r.platform_shop_id is not null`)) as PlatformRow[])
      accounts.push({ side: platform.name, id: shop.id, accountNo: String(shop.platformShopId), days })
  const known = await db.query<{ side: string; accountNo: string; day: string }>(
    sql`select side, account_no, day::text as day from tally_day where tenant_id = ${db.tenantId}
      and read_time is not null and day = any(${[...days]}::date[])`,
  )
  const readDays = new Set(known.map(({ side, accountNo, day }) => `${side}/${accountNo}/${day}`))
  for (const { side, id, accountNo, no, days: own } of accounts)
    for (const day of own)
      if (!readDays.has(`${side}/${accountNo}/${day}`)) await compareLater(db, { side, id, no, day })
  const open = await db.query<{ id: string }>(
    sql`select distinct day_id as id from tally_difference where tenant_id = ${db.tenantId}
      and state = any(${[...OPEN_DIFFERENCE_STATES]}) and day >= ${days[0]}::date - ${OPEN_DAYS}::int`,
  )
  for (const { id } of open) await enqueueComparison(services, db, id, false)
}
