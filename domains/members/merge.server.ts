import { sql } from '#kit/server/db.ts'
import { serve } from '#kit/server/room.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { requireCustomer } from '#domains/shops/doors.ts'
import { MERGE_QUEUE, mergeCustomers } from './merge.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'

export const wxUserMergeServer = serve(wxUserMerge, {
  where: ({ caller }) =>
    caller.limits.shop
      ? sql` and exists (select 1 from wx_user_shop c where c.tenant_id = r.tenant_id and c.wx_user_id = r.target_id and c.shop_id = any(${caller.limits.shop as string[]}::bigint[]))`
      : sql``,
  actions: {
    merge: async (_none, input, call) => {
      for (const id of [input.sourceId!, input.targetId!]) await requireCustomer(call, id)
      const merge = await mergeCustomers(call.db, {
        sourceId: input.sourceId!,
        targetId: input.targetId!,
        reason: input.reason!,
        isSamePerson: input.isSamePerson ?? false,
        at: shanghaiText(call.services.now()),
      })
      await call.db.later(MERGE_QUEUE, { mergeId: merge.id }, { key: merge.id })
      return { id: merge.id, state: merge.state }
    },
  },
})
