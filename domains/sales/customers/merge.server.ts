import { sql } from '#kit/server/database/db.ts'
import { serve } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { visibleCustomersSql } from './booking-shop.ts'
import { customerMergeQueue, mergeCustomers } from './merge.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'

export const wxUserMergeServer = serve(wxUserMerge, {
  where: (call) => visibleCustomersSql(call, sql`r.target_id`),
  actions: {
    merge: async (_none, input, call) => {
      const merge = await mergeCustomers(call.db, {
        sourceId: input.sourceId,
        targetId: input.targetId,
        reason: input.reason,
        isSamePerson: input.isSamePerson ?? false,
        at: formatShanghaiTime(call.services.now()),
      })
      await call.db.enqueue(customerMergeQueue, { mergeId: merge.id }, { key: merge.id })
      return { id: merge.id, state: merge.state }
    },
  },
})
