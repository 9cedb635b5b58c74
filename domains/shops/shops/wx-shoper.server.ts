import { serve } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireReassignPermission } from './check-moved.ts'
import { refreshShopLimits } from './refresh-shop-limits.ts'
import { wxShoper } from './wx-shoper.resource.ts'

export const wxShoperServer = serve(wxShoper, {
  beforeSave: async (draft, was, call) => {
    if (draft.userId === undefined) return
    await requireReassignPermission(call, was?.userId, draft.userId)
    if (draft.userId !== (was?.userId ?? null))
      draft.bindTime = draft.userId ? formatShanghaiTime(call.services.now()) : null
  },
  beforeRemove: async (rows, call) => {
    for (const { userId } of rows) await requireReassignPermission(call, userId, null)
  },
  afterSave: (row, was, call) => refreshShopLimits(call, [row.userId, was?.userId]),
  afterRemove: (rows, call) =>
    refreshShopLimits(
      call,
      rows.map((row) => row.userId),
    ),
})
