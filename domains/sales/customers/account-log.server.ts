import { formatYuan } from '#kit/fields/money/cents.ts'
import { parseIdInput } from '#kit/fields/base/field-kind.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { changeCustomerAccount, type CustomerAccountKind } from './accounts.ts'
import { resolveBookingShopId } from './booking-shop.ts'

type Adjustment = { wxUserId: string | null; shopId: string | null; change: number | null; reason: string | null }

/** Changes a balance or points by hand. Each change gets a log row with the reason; the row names who made it. */
async function adjust(account: CustomerAccountKind, { wxUserId, shopId, change, reason }: Adjustment, call: Call) {
  const { input } = (account === 'balance' ? balanceLog : integralLog).actions.adjust
  const { before, after } = await changeCustomerAccount(call.db, account, {
    wxUserId: wxUserId!,
    change: change!,
    type: 'adjust',
    refType: 'adjust',
    refId: newId(),
    shopId: await resolveBookingShopId(call, shopId, input),
    remark: reason!,
    field: 'change',
  })
  return { before, after }
}

/** Filter `personOf=<id of an open account>`: the rows of that account and of all accounts merged into it. */
const ofPerson = ({ query }: Call) => {
  const id = parseIdInput(query.personOf)
  if (!query.personOf) return empty
  if ('problem' in id || id.value === null) throw new Refused('bad_parameter', { name: 'personOf' })
  return sql` and (r.tenant_id, r.wx_user_id) in (
    with recursive person as (select w.id, w.tenant_id from wx_user w where w.id = ${id.value} union
    select w.id, w.tenant_id from person p join wx_user w on w.merged_into = p.id and w.tenant_id = p.tenant_id)
    select tenant_id, id from person)`
}

export const balanceLogServer = serve(balanceLog, {
  where: ofPerson,
  actions: {
    adjust: async (_none, input, call) => {
      const { before, after } = await adjust('balance', input, call)
      return { before: formatYuan(before), after: formatYuan(after) }
    },
  },
})

export const integralLogServer = serve(integralLog, {
  where: ofPerson,
  actions: { adjust: (_none, input, call) => adjust('integral', input, call) },
})
