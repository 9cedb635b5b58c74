import { serve, type Call } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requestPayableRefund, type PayableRefundRequest } from '#domains/money/payment-channels/api.ts'
import { PAYMENT_REFUND_STATE } from '#domains/money/payment-channels/index.ts'
import { lockCustomerOfRow } from './accounts.ts'
import { resolveBookingShopId } from './booking-shop.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { buyMembership, requireFeeRefundable } from './annual-fee.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { planRechargeRefund, bookRecharge, type PaymentRefundRow } from './recharge.ts'

const nowOf = (call: Call) => formatShanghaiTime(call.services.now())

type Refunded = { row: { id: string; payStatus: number | null }; back: PaymentRefundRow }

/** The answer to a refund: its state, and how the money goes back or who must pay it out. */
const paidBack = ({ lang }: Call, { row, back }: Refunded) => ({
  id: row.id,
  payStatus: row.payStatus,
  refundNo: back.refundNo,
  backState: back.state,
  howBack: back.note
    ? translateSystemText(back.note, lang)
    : HOW_BACK[back.state === PAYMENT_REFUND_STATE.done ? 'done' : 'sent'][lang],
})

type PaidFor = { payable: string; no: string; row: Paid }
type Paid = { id: string; shopId: string | null; refundAmount: number | null; payStatus: number | null }

/** Requests a refund, which may first wait for a second person's approval, and builds the answer. */
async function backed(call: Call, { payable, no, row }: PaidFor, ask: PayableRefundRequest) {
  const { id, shopId, payStatus } = row
  const subject = { payable, id, no, shopId, refundedBefore: row.refundAmount ?? 0 }
  const done = (await requestPayableRefund(call, subject, ask)) as Refunded | { waits: true }
  return 'waits' in done ? { id, payStatus, waits: true, howBack: HOW_BACK.waits[call.lang] } : paidBack(call, done)
}

const HOW_BACK = {
  waits: {
    zh: '超过一个人能退的金额，等第二人在“资金复核”确认，现在还没有退',
    en:
      'this exceeds what one person can refund. A second approver must confirm it under “Dual ' +
      'approvals”. Nothing was refunded yet.',
  },
  done: { zh: '已退到顾客余额', en: 'refunded to the customer balance' },
  sent: {
    zh: '原路退回，进度见“充值年费退款”',
    en: 'refunded to the original method. See “Top-up and membership refunds” for progress.',
  },
}

export const rechargeConfServer = serve(rechargeConf)

export const rechargeLogServer = serve(rechargeLog, {
  beforeLock: lockCustomerOfRow(rechargeLog),
  actions: {
    recharge: async (_none, input, call) => {
      const fields = rechargeLog.actions.recharge.input
      const { row, repeated } = await bookRecharge(call.db, {
        ...input,
        wxUserId: input.wxUserId,
        payType: input.payType,
        rechargeNo: input.rechargeNo ?? `RC${newId()}`,
        shopId: await resolveBookingShopId(call, input.shopId, fields),
        at: nowOf(call),
      })
      return { id: row.id, rechargeNo: row.rechargeNo, repeated }
    },
    refund: async (row, input, call) => {
      await planRechargeRefund(call.db, row, input)
      return backed(call, { payable: rechargeLog.name, no: row.rechargeNo!, row }, input)
    },
  },
})

export const annualFeeLogServer = serve(annualFeeLog, {
  beforeLock: lockCustomerOfRow(annualFeeLog),
  actions: {
    buy: async (_none, input, call) => {
      const { row, repeated } = await buyMembership(call.db, {
        ...input,
        wxUserId: input.wxUserId,
        confId: input.confId,
        payType: input.payType,
        feeNo: input.feeNo ?? `AF${newId()}`,
        shopId: await resolveBookingShopId(call, input.shopId, annualFeeLog.actions.buy.input),
        at: nowOf(call),
      })
      return { id: row.id, feeNo: row.feeNo, endTime: row.endTime, repeated }
    },
    refund: async (row, input, call) => {
      requireFeeRefundable(row, input)
      return backed(call, { payable: annualFeeLog.name, no: row.feeNo!, row }, input)
    },
  },
})
