import { createHash } from 'node:crypto'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { keywordField } from '#kit/resource/index.ts'
import { empty, readBatch, sql, awaitBatch, type Db, type Sql } from '#kit/server/database/db.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { escapeLike } from '#kit/server/query/filters.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { omitHiddenFieldValues } from '#kit/server/resource/present.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import {
  requireExistingTenant,
  lockVisibleRow,
  publishRowsChanged,
  tenantIdsByRow,
} from '#kit/server/resource/submit-of.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import type { MoneyMoveResult } from '#domains/money/payment-channels/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import { billDetail } from './bill-detail.resource.ts'
import { bill } from './bill.resource.ts'
import { compareBillWithStatement } from './check-bill.ts'
import { BILL_STATE, PROFIT_SHARE_MOVE_KIND, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { makeBills, billPeriodOf } from './make-bill.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { enqueueMerchantReceiversSync } from './merchant-receivers.job.ts'
import { billStatementCall } from './merchants.calls.ts'
import { parseReceivers, parseShares } from './receivers.ts'
import { enqueueShare } from './enqueue-share.ts'
import { requestMoneyMove } from '#domains/money/payment-channels/api.ts'
import { frozenOrder } from './share-return.ts'
import { requireSharable } from './share.ts'
import { shareLog } from './share-log.resource.ts'
import { parseStatement, StatementUnreadableError, decodeUploadedText, type StatementLine } from './statement.ts'
import { recordTerms } from './merchant-terms.ts'

const tailOf = (account: string) => `**** ${account.replaceAll(' ', '').slice(-4)}`

/** Links exactly these shops with the merchant and unlinks its others; refuses a shop of another merchant. */
export async function bindShops(call: Call, merchantId: string, shopIds: readonly string[]): Promise<void> {
  const { db, services } = call
  // The lock and the check are two statements sent together: a single joined one would check the owner before the lock.
  const [, taken] = await awaitBatch([
    db.query(sql`select 1 from basic_shop_info where tenant_id = ${db.tenantId} and (id = any(${shopIds}::bigint[])
      or merchant_id = ${merchantId}) order by id for no key update`),
    db.one<{ shopName: string; name: string }>(sql`select b.shop_name, m.name from basic_shop_info b
      join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id and m.is_deleted = 0
      where b.tenant_id = ${db.tenantId} and b.id = any(${shopIds}::bigint[]) and m.id <> ${merchantId}
      order by b.id limit 1`),
  ])
  if (taken) throw new Refused('shop_of_other_merchant', { shop: taken.shopName, name: taken.name })
  await db.run(sql`update basic_shop_info set merchant_id = case
    when id = any(${shopIds}::bigint[]) then ${merchantId}::bigint end
    where tenant_id = ${db.tenantId} and (merchant_id = ${merchantId} or id = any(${shopIds}::bigint[]))`)
  await recordTerms(db, services.now(), merchantId)
}

export const merchantInfoServer = serve(merchantInfo, {
  beforeSave: (draft, was, call) => {
    const receivers = parseReceivers(draft.receivers)
    if (draft.receivers !== undefined) draft.receivers = receivers.length ? receivers : null
    if (!draft.bankAccount) {
      // The number is never sent to the browser, so an empty one means unchanged.
      if (was) delete draft.bankAccount
      return
    }
    draft.bankAccountTail = tailOf(draft.bankAccount)
    draft.bankAccount = secretCipherOf(call.services).seal(draft.bankAccount)
  },
  afterSave: async (row, _was, call) => {
    // Also when unchanged: a merchant restored from the recycle bin has lost its shops.
    await bindShops(call, row.id, row.shopIds ?? [])
  },
  afterRemove: async (rows, { db, services }) => {
    for (const { id } of rows) await recordTerms(db, services.now(), id)
  },
  actions: {
    addReceivers: async (row, _none, call) => {
      if (!row.subMchid) throw new Refused('merchant_without_number', { name: row.name })
      const isKnown = Array.isArray(row.receiverStates) && row.receiverStates.length > 0
      if (!parseReceivers(row.receivers).length && !isKnown)
        throw new Refused('merchant_without_receivers', { name: row.name })
      if (!(await findWechatAccount(call.services, call.db))) throw new Refused('pay_account_missing')
      await enqueueMerchantReceiversSync(call.db, row.id)
      return { id: row.id }
    },
  },
})

/** SQL condition for merchants all of whose shops are the caller's; `merchant` is the column with the merchant's id. */
export const visibleMerchantsSql = ({ caller }: Call, merchant: Sql = sql`r.merchant_id`): Sql =>
  caller.limits.shop
    ? sql` and exists (select 1 from merchant_info m where m.id = ${merchant} and m.tenant_id = r.tenant_id
      and cardinality(m.shop_ids) > 0 and m.shop_ids <@ ${caller.limits.shop}::bigint[])`
    : empty

const now = (call: Call) => formatShanghaiTime(call.services.now())

/**
 * Runs `work` in the caller's tenant; for platform administrators in the given tenant, or that of the given merchant.
 */
async function inRequestedTenant<T>(
  call: Call,
  { tenantId, merchantId }: { tenantId: string | null; merchantId: string | null },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const input = { fields: bill.actions.generate.input }
  const own = async (db: Db) => {
    if (
      merchantId &&
      !(await db.one(
        sql`select 1 from merchant_info r where r.tenant_id = ${db.tenantId} and r.id = ${merchantId}
          and r.is_deleted = 0${visibleMerchantsSql(call, sql`r.id`)}`,
      ))
    )
      throw invalidFieldRefusal(input, 'merchantId', 'not_found')
    return work(db)
  }
  if (!call.caller.isPlatform) {
    if (tenantId && tenantId !== call.caller.tenantId) throw invalidFieldRefusal(input, 'tenantId', 'not_found')
    return own(call.db)
  }
  const named =
    tenantId ?? (merchantId ? (await tenantIdsByRow(call, merchantInfo, [merchantId])).get(merchantId) : undefined)
  // Making bills for all tenants at once is left to the nightly job.
  if (!named)
    throw merchantId
      ? invalidFieldRefusal(input, 'merchantId', 'not_found')
      : invalidFieldRefusal(input, 'tenantId', 'required')
  const found = await requireExistingTenant(call.db, named)
  return found === call.caller.tenantId
    ? own(call.db)
    : call.db.acrossTenants('platform administrator writes for a tenant', (all) => all.asTenant(found, own))
}

export const billServer = serve(bill, {
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'statementProblem', lang),
  where: (call) => visibleMerchantsSql(call),
  beforeSave: (_draft, was) => rejectManualCreate(bill, was),
  actions: {
    generate: async (_none, input, call) => {
      const period = billPeriodOf(input.billType as 'day' | 'month', input.day)
      if (period.end >= now(call).slice(0, 10))
        throw new Refused('bill_period_not_over', { end: period.end }, { field: 'day' })
      const made = await inRequestedTenant(call, input, (db) =>
        makeBills(
          db,
          period,
          sql`${input.merchantId ? sql` and r.id = ${input.merchantId}` : empty}${visibleMerchantsSql(
            call,
            sql`r.id`,
          )}`,
        ),
      )
      return { count: made.length, ids: made.map((row) => row.id) }
    },
    check: async (row, input, call) => {
      if (row.differences && !input.checkRemark)
        throw new Refused('bill_has_differences', { count: row.differences }, { field: 'checkRemark' })
      await requireTransition(call, bill, row.id, 'check', {
        checkUser: call.caller.userId,
        checkTime: now(call),
        checkRemark: input.checkRemark,
      })
    },
    dispute: async (row, input, call) => {
      await requireTransition(call, bill, row.id, 'dispute', {
        checkUser: call.caller.userId,
        checkTime: now(call),
        checkRemark: input.checkRemark,
      })
    },
    pay: async (row, input, call) => {
      await requireTransition(call, bill, row.id, 'pay', {
        payTime: now(call),
        payNo: input.payNo,
      })
    },
  },
})

/** People of a shop see its bill lines, even in the bill of a merchant with other shops too. */
export const billDetailServer = serve(billDetail, {
  where: (call) =>
    call.caller.limits.shop
      ? sql` and (r.shop_id = any(${call.caller.limits.shop as string[]}::bigint[])
        or (r.shop_id is null${visibleMerchantsSql(call)}))`
      : empty,
})

/** Requests the release of an order's frozen money; above a limit by its amount a second person must approve. */
async function unfreeze(call: Call, orderId: string): Promise<MoneyMoveResult | void> {
  const { db, services } = call
  if (!(await findWechatAccount(services, db))) throw new Refused('pay_account_missing')
  const { orderNo, shopId, frozen } = await frozenOrder(db, orderId)
  const subject = { subjectKey: orderId, subjectNo: orderNo, orderId, shopId }
  return requestMoneyMove(call, { kind: PROFIT_SHARE_MOVE_KIND.unfreeze, ...subject, amount: frozen })
}

export const shareLogServer = serve(shareLog, {
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'failReason', lang),
  beforeSave: async (draft, was, call) => {
    if (was) return
    const shares = parseShares(draft.receivers)
    if (!shares.length) throw invalidFieldRefusal(shareLog, 'receivers', 'required')
    const order = await requireSharable(call.db, draft.orderId!, shares)
    Object.assign(draft, {
      outOrderNo: `SH${newId()}`,
      shopId: order.shopId,
      merchantId: order.merchantId,
      transactionNo: order.transactionNo,
      status: PROFIT_SHARE_STATE.waiting,
      finishAmount: 0,
      receivers: shares.map(({ amount, ...one }) => ({ ...one, amount: formatYuan(amount) })),
      amount: shares.reduce((sum, one) => sum + one.amount, 0),
    })
  },
  afterSave: async (row, was, { db }) => {
    if (!was) await enqueueShare(db, row.id)
  },
  actions: {
    unfreeze: (row, _none, call) => unfreeze(call, row.orderId),
    letGo: (_none, { orderId }, call) => unfreeze(call, orderId),
  },
})

const SELECT_MAX = 20
const STATEMENT_MAX_BYTES = 30 * 1024 * 1024
/** Maximum files of an upload: a merchant with several WeChat Pay numbers has one statement for each. */
const STATEMENT_FILES_MAX = 5

/** Parses the lines of all uploaded statements; a file uploaded twice counts once. */
async function linesOfAll(files: readonly { bytes: Buffer }[]): Promise<StatementLine[]> {
  const once = new Map(files.map(({ bytes }) => [createHash('sha256').update(bytes).digest('hex'), bytes]))
  const lines: StatementLine[] = []
  for (const bytes of once.values()) for (const one of await parseStatement(decodeUploadedText(bytes))) lines.push(one)
  return lines
}

export const merchantRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/merchant/merchantInfo/select',
    title: { zh: '商户选择', en: 'Merchant options' },
    can: ['merchantInfo', 'bill', 'payApply', 'shareLog'],
    tx: false,
    input: { key: keywordField() },
    handle: async (call) => {
      const pattern = `%${escapeLike(call.input.key ?? '')}%`
      const sees = (key: keyof typeof merchantInfo.fields) => canReadField(merchantInfo, key, call.caller)
      const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        sql`select r.id, r.name, r.merchant_no, coalesce(r.sub_mchid, '') as sub_mchid,
          r.status ${visibleRowsSql(merchantInfoServer, call)} and (${sees('name')} and r.name ilike ${pattern}
          or ${sees('merchantNo')} and r.merchant_no ilike ${pattern} or ${!call.input.key})
          order by r.merchant_no, r.id limit ${SELECT_MAX}`,
      ])
      return omitHiddenFieldValues(call.services.registry, merchantInfo, call.caller, rows!)
    },
  }),
  defineRoute(billStatementCall, {
    title: { zh: '导入对账单', en: 'Import statement' },
    can: 'bill_statement',
    uploadMaxBytes: STATEMENT_MAX_BYTES,
    uploadMaxFiles: STATEMENT_FILES_MAX,
    perMinute: 30,
    handle: async (call) => {
      const { files } = call
      if (!files?.length) throw new Refused('no_file')
      return inTenantOf(call, bill, call.input.id, async (db) => {
        const row = await lockVisibleRow(billServer, { ...call, db }, call.input.id)
        if (row.status !== BILL_STATE.generated && row.status !== BILL_STATE.disputed)
          throw new Refused('bill_is_checked', { billNo: row.billNo })
        try {
          const checked = await compareBillWithStatement(db, row, await linesOfAll(files), { now: now(call) })
          publishRowsChanged({ db }, bill, [checked])
          return { id: checked.id, differences: checked.differences ?? 0 }
        } catch (error) {
          if (error instanceof StatementUnreadableError)
            throw new Refused('statement_unreadable', { problem: error.words })
          throw error
        }
      })
    },
  }),
]
