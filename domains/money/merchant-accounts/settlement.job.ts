import { VendorError } from '#domains/platform/external-apis/api.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { redact, findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import type { RowOf, UpdateOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { findWechatBankName } from './bank-lists.server.ts'
import { SETTLEMENT_CHANGE_STATE } from './dictionaries.ts'
import { settlementChange } from './settlement-change.resource.ts'

type Change = RowOf<typeof settlementChange>
/** WeChat Pay's state of a change, or of the account when the number of the change is unknown. */
type SettlementStatus = { verify_result?: string; verify_fail_reason?: string }

const applySettlementChangeQueue = defineQueue<{ id: string }>('pay.settlement')
const OPEN: readonly string[] = [
  SETTLEMENT_CHANGE_STATE.asked,
  SETTLEMENT_CHANGE_STATE.sent,
  SETTLEMENT_CHANGE_STATE.auditing,
]
const PASSED = new Set(['AUDIT_SUCCESS', 'VERIFY_SUCCESS'])
const REFUSED = new Set(['AUDIT_FAIL', 'VERIFY_FAIL'])
/**
 * Time in ms after which an unanswered change counts as not received. It fails and is left to people; it is not resent.
 */
const REQUEST_LOST_MS = 600_000

export const enqueueSettlementChange = (db: Db, id: string): Promise<void> =>
  db.enqueue(applySettlementChangeQueue, { id }, { key: id })

/** Queues status queries of all changes under way, as WeChat Pay sends no webhook for them. */
export const enqueueSettlementChecksJob = defineModuleJob({
  queue: defineQueue('pay.settlements'),
  cron: '*/5 * * * *',
  run: async (_payload, { services }) => {
    const rows = await services.unit(
      { crossTenantReason: 'changes of settlement accounts of all tenants under way' },
      (db) =>
        db.query<{ id: string; tenantId: string }>(sql`select id, tenant_id from settlement_change
        where is_deleted = 0 and status = any(${[...OPEN]}::text[])`),
    )
    for (const { id, tenantId } of rows) await services.unit({ tenantId }, (db) => enqueueSettlementChange(db, id))
  },
})

export const applySettlementChangeJob = defineModuleJob({
  queue: applySettlementChangeQueue,
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, (db) => claimSettlement(db, services, id))
    if (!held) return
    const { row, pay } = held
    const applyResult = (to: Result) => services.unit({ tenantId }, (db) => updateChange(db, row, to))
    try {
      await applyResult(
        row.status === SETTLEMENT_CHANGE_STATE.asked
          ? await sendChange(services, pay, row)
          : await outcome(services, pay, row),
      )
    } catch (error) {
      if (!(error instanceof VendorError)) throw error
      const failReason = error.message.slice(0, 500)
      // The result is unknown: the next run queries the account itself, as the change has no number of ours.
      if (!error.isUndone || error.isRetryable) return void (await applyResult({ patch: { failReason } }))
      if (row.status === SETTLEMENT_CHANGE_STATE.asked) await applyResult(over(services, 'failed', failReason))
    }
  },
})

/** What WeChat Pay says of a change, with the state it leads to; none while that is not known. */
type Result = { to?: 'auditing' | 'done' | 'failed'; patch: UpdateOf<typeof settlementChange> }

const over = (services: Services, to: 'done' | 'failed', failReason: string | null): Result => ({
  to,
  patch: { failReason, finishTime: formatShanghaiTime(services.now()) },
})

/** Marks the change as sent before the call, so that after a crash it is queried and not sent again. */
async function claimSettlement(
  db: Db,
  services: Services,
  id: string,
): Promise<{ row: Change; pay: WechatPay } | undefined> {
  const row = await db.get(settlementChange, id, 'forUpdate')
  const account = await findWechatAccount(services, db)
  if (!row || !OPEN.includes(row.status!) || !account) return undefined
  if (row.status === SETTLEMENT_CHANGE_STATE.asked)
    await transition(db, settlementChange, id, 'send', { sentTime: formatShanghaiTime(services.now()) })
  return { row, pay: createWechatPay(services, account) }
}

async function updateChange(db: Db, { id }: Change, { to, patch }: Result): Promise<void> {
  if (to) return void (await transition(db, settlementChange, id, 'follow', patch, { to }))
  const row = await db.get(settlementChange, id, 'forUpdate')
  if (!row || !OPEN.includes(row.status!)) return
  publishRowsChanged({ db }, settlementChange, [await db.update(settlementChange, id, patch)])
}

async function sendChange(services: Services, pay: WechatPay, row: Change): Promise<Result> {
  const isPersonal = row.bankAccountType === 'personal'
  const { application_no } = await pay.changeSettlement(row.subMchid!, {
    account_type: isPersonal ? 'ACCOUNT_TYPE_PRIVATE' : 'ACCOUNT_TYPE_BUSINESS',
    account_bank: (await findWechatBankName(pay, row.bankAccountType, row.accountBank))!,
    bank_address_code: row.bankRegion.padEnd(6, '0').slice(0, 6),
    bank_name: row.bankName ?? undefined,
    account_number: redact(secretCipherOf(services).open(row.accountNumber!))!,
    account_name: redact(row.accountName),
  })
  return { to: 'auditing', patch: { applicationNo: String(application_no), failReason: null } }
}

/** Returns the result of a change at WeChat Pay; without its number, that of the account if its last digits match. */
async function outcome(services: Services, pay: WechatPay, row: Change): Promise<Result> {
  const result = row.applicationNo ? await pay.settlementChange(row.subMchid!, row.applicationNo) : undefined
  const account = result ? undefined : await pay.settlement(row.subMchid!)
  const { verify_result = '', verify_fail_reason = '' }: SettlementStatus = result ?? account!
  const isOurs = result !== undefined || account!.account_number.slice(-4) === row.accountTail!.slice(-4)
  if (PASSED.has(verify_result) && isOurs) return over(services, 'done', null)
  if (REFUSED.has(verify_result)) return over(services, 'failed', verify_fail_reason.slice(0, 500) || verify_result)
  if (verify_result && !PASSED.has(verify_result)) return { to: 'auditing', patch: { failReason: null } }
  const age = services.now().getTime() - Date.parse(`${row.sentTime}+08:00`)
  return age > REQUEST_LOST_MS ? over(services, 'failed', NEVER_ARRIVED) : { patch: {} }
}

const NEVER_ARRIVED = '微信支付没有收到这次变更，可以再次申请'
