import { serve } from '#kit/server/room.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { forgetLimits } from './forget-limits.ts'
import { wxShoper } from './wx-shoper.resource.ts'

export const wxShoperServer = serve(wxShoper, {
  beforeSave: (draft, was, { services }) => {
    if (draft.userId !== undefined && draft.userId !== (was?.userId ?? null))
      draft.bindTime = draft.userId ? shanghaiText(services.now()) : null
  },
  afterSave: (row, was, call) => forgetLimits(call, [row.userId, was?.userId]),
  afterRemove: (rows, call) =>
    forgetLimits(
      call,
      rows.map((row) => row.userId),
    ),
})
