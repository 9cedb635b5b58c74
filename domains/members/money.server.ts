import { serve, type Call } from '#kit/server/room.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { lockCustomerOf } from './accounts.ts'
import { bookingShop } from './booking-shop.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { buyMembership } from './annual-fee.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { recharge, refundRecharge } from './recharge.ts'

const nowOf = (call: Call) => shanghaiText(call.services.now())

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
      const { id, payStatus } = await refundRecharge(call.db, row, {
        amount: input.amount,
        reason: input.reason,
        refundedBefore: input.refundedBefore,
      })
      return { id, payStatus }
    },
  },
})

export const annualFeeLogServer = serve(annualFeeLog, {
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
  },
})
