import { secretCipherOf } from '#domains/platform/files/api.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { SETTLEMENT_CHANGE_STATE } from './dictionaries.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { visibleMerchantsSql } from './merchants.server.ts'
import { settlementChange } from './settlement-change.resource.ts'
import { enqueueSettlementChange } from './settlement.job.ts'

type Change = RowOf<typeof settlementChange>

/** Refuses a second change of a merchant while one is under way. */
async function requireAlone({ db }: Call, { id, merchantId }: Change): Promise<void> {
  await db.advisoryLock(`settlement/${merchantId}`)
  const other = await db.one(sql`select 1 from settlement_change where tenant_id = ${db.tenantId}
    and merchant_id = ${merchantId} and id <> ${id} and is_deleted = 0
    and status = any(${[...PENDING_STATES]}::text[]) limit 1`)
  if (other) throw new Refused('settlement_under_way')
}

const OPEN: readonly string[] = [
  SETTLEMENT_CHANGE_STATE.draft,
  SETTLEMENT_CHANGE_STATE.failed,
  SETTLEMENT_CHANGE_STATE.declined,
]
const PENDING_STATES: readonly string[] = [
  SETTLEMENT_CHANGE_STATE.waiting,
  SETTLEMENT_CHANGE_STATE.asked,
  SETTLEMENT_CHANGE_STATE.sent,
  SETTLEMENT_CHANGE_STATE.auditing,
]

export const settlementChangeServer = serve(settlementChange, {
  where: (call) => visibleMerchantsSql(call),
  beforeSave: (draft, was, call) => {
    if (was && !OPEN.includes(was.status!)) throw new Refused('settlement_under_way')
    if (draft.accountNumber) {
      draft.accountTail = `**** ${draft.accountNumber.slice(-4)}`
      draft.accountNumber = secretCipherOf(call.services).seal(draft.accountNumber)
    } else if (was) {
      // The number is never sent to the browser, so an empty one means unchanged.
      delete draft.accountNumber
    }
  },
  beforeRemove: (rows) => {
    if (rows.some(({ status }) => PENDING_STATES.includes(status!))) throw new Refused('settlement_under_way')
  },
  actions: {
    ask: async (row, _none, call) => {
      if (!row.accountNumber) throw invalidFieldRefusal(settlementChange, 'accountNumber', 'required')
      const merchant = await call.db.get(merchantInfo, row.merchantId)
      if (!merchant?.subMchid) throw new Refused('merchant_without_number', { name: merchant?.name ?? '' })
      if (row.bankAccountType === 'personal' && merchant.type !== 'individual')
        throw invalidFieldRefusal(settlementChange, 'bankAccountType', 'not_a_choice')
      await requireAlone(call, row)
      if (!(await findWechatAccount(call.services, call.db))) throw new Refused('pay_account_missing')
      const request = { askUser: call.caller.userId, secondUser: null, subMchid: merchant.subMchid }
      await requireTransition(call, settlementChange, row.id, 'ask', request)
    },
    agree: async (row, _none, call) => {
      if (row.askUser === call.caller.userId) throw new Refused('money_other_person')
      const sent = { sentTime: null, applicationNo: null, failReason: null, finishTime: null }
      await requireTransition(call, settlementChange, row.id, 'agree', { ...sent, secondUser: call.caller.userId })
      await enqueueSettlementChange(call.db, row.id)
    },
    decline: async (row, _none, call) => {
      await requireTransition(call, settlementChange, row.id, 'decline', { secondUser: call.caller.userId })
    },
  },
})
