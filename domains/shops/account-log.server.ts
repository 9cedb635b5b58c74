import { serve, invalidField, type Call } from '#kit/server/room.ts'
import { newId } from '#kit/server/snowflake.ts'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { changeAccount, type Account } from './accounts.ts'
import { bookingShop, requireCustomer } from './booking-shop.ts'

type Adjustment = { wxUserId: string | null; shopId: string | null; change: number | null; reason: string | null }

/** A change by hand is a row of its own, with who made it and why. */
async function adjust(account: Account, { wxUserId, shopId, change, reason }: Adjustment, call: Call) {
  const { input } = (account === 'balance' ? balanceLog : integralLog).actions.adjust
  if (!change) throw invalidField({ fields: input }, 'change', 'required')
  await requireCustomer(call, wxUserId!)
  const { before, after } = await changeAccount(call.db, account, {
    wxUserId: wxUserId!,
    change,
    type: 'adjust',
    refType: 'adjust',
    refId: newId(),
    shopId: await bookingShop(call, shopId, input),
    remark: reason!,
  })
  return { before, after }
}

export const balanceLogServer = serve(balanceLog, {
  actions: {
    adjust: async (_none, input, call) => {
      const { before, after } = await adjust('balance', input, call)
      return { before: (before / 100).toFixed(2), after: (after / 100).toFixed(2) }
    },
  },
})

export const integralLogServer = serve(integralLog, {
  actions: { adjust: (_none, input, call) => adjust('integral', input, call) },
})
