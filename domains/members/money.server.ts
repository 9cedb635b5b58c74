import { serve, type Call } from '#kit/server/room.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { systemWordsIn } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { BACK_STATE } from '#domains/payments/index.ts'
import { lockCustomerOf } from './accounts.ts'
import { bookingShop } from './booking-shop.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { buyMembership, refundFee } from './annual-fee.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { recharge, refundRecharge, type PaidBack } from './recharge.ts'

const nowOf = (call: Call) => shanghaiText(call.services.now())

type Refunded = { row: { id: string; payStatus: number | null }; back: PaidBack }

/** What a refund answers: how it stands, and by which way the money gets back, or who has to pay it out. */
const paidBack = ({ lang }: Call, { row, back }: Refunded) => ({
  id: row.id,
  payStatus: row.payStatus,
  refundNo: back.refundNo,
  backState: back.state,
  howBack: back.note
    ? systemWordsIn(back.note, lang)
    : HOW_BACK[back.state === BACK_STATE.done ? 'done' : 'sent'][lang],
})

const HOW_BACK = {
  done: { zh: '已退到顾客余额', en: "it is on the customer's balance" },
  sent: {
    zh: '原路退回，进度见“充值年费退款”',
    en: 'it goes back the way it came; "Refunds of recharges and fees" says how far',
  },
}

export const rechargeConfServer = serve(rechargeConf)

export const rechargeLogServer = serve(rechargeLog, {
  beforeLock: lockCustomerOf(rechargeLog),
  actions: {
    recharge: async (_none, input, call) => {
      const fields = rechargeLog.actions.recharge.input
      const { row, repeated } = await recharge(call.db, {
        ...input,
        wxUserId: input.wxUserId,
        payType: input.payType,
        rechargeNo: input.rechargeNo ?? `RC${newId()}`,
        shopId: await bookingShop(call, input.shopId, fields),
        at: nowOf(call),
      })
      return { id: row.id, rechargeNo: row.rechargeNo, repeated }
    },
    refund: async (row, input, call) => {
      const done = await refundRecharge(call.db, row, {
        amount: input.amount,
        reason: input.reason,
        refundedBefore: input.refundedBefore,
      })
      return paidBack(call, done)
    },
  },
})

export const annualFeeLogServer = serve(annualFeeLog, {
  beforeLock: lockCustomerOf(annualFeeLog),
  actions: {
    buy: async (_none, input, call) => {
      const { row, repeated } = await buyMembership(call.db, {
        ...input,
        wxUserId: input.wxUserId,
        confId: input.confId,
        payType: input.payType,
        feeNo: input.feeNo ?? `AF${newId()}`,
        shopId: await bookingShop(call, input.shopId, annualFeeLog.actions.buy.input),
        at: nowOf(call),
      })
      return { id: row.id, feeNo: row.feeNo, endTime: row.endTime, repeated }
    },
    refund: async (row, input, call) => {
      const { amount, reason, refundedBefore } = input
      return paidBack(call, await refundFee(call.db, row, { amount, reason, refundedBefore, at: nowOf(call) }))
    },
  },
})
