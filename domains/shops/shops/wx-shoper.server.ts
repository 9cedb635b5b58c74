import { serve } from '#kit/server/module.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { checkMoved } from './check-moved.ts'
import { forgetLimits } from './forget-limits.ts'
import { wxShoper } from './wx-shoper.resource.ts'

export const wxShoperServer = serve(wxShoper, {
  beforeSave: async (draft, was, call) => {
    if (draft.userId === undefined) return
    await checkMoved(call, was?.userId, draft.userId)
    if (draft.userId !== (was?.userId ?? null)) draft.bindTime = draft.userId ? shanghaiText(call.services.now()) : null
  },
  beforeRemove: async (rows, call) => {
    for (const { userId } of rows) await checkMoved(call, userId, null)
  },
  afterSave: (row, was, call) => forgetLimits(call, [row.userId, was?.userId]),
  afterRemove: (rows, call) =>
    forgetLimits(
      call,
      rows.map((row) => row.userId),
    ),
})
