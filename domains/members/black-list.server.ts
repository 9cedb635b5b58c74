import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve, type Call } from '#kit/server/room.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { survivorOf } from './accounts.ts'
import { blackList } from './black-list.resource.ts'
import { ownOrShared } from './own-or-shared.ts'
import { presentState, timeState } from './time-state.ts'

const rules = ownOrShared(blackList)
const nowOf = (call: Call) => shanghaiText(call.services.now())

export const blackListServer = serve(blackList, {
  where: (call) =>
    call.query.standing === 'running'
      ? sql`${rules.where(call)} and r.start_time <= ${nowOf(call)}::timestamptz and (r.end_time is null
        or r.end_time > ${nowOf(call)}::timestamptz)`
      : rules.where(call),
  beforeSave: async (draft, was, call) => {
    rules.requireOwn(draft, was, call)
    const row = { ...was, ...draft }
    if (!row.wxUserId && !row.phone) throw new Refused('black_nobody')
    if (draft.wxUserId) draft.wxUserId = (await survivorOf(call.db, draft.wxUserId)) ?? draft.wxUserId
    if (!row.startTime) row.startTime = draft.startTime = nowOf(call)
    if (row.endTime && row.endTime <= row.startTime)
      throw invalidField(blackList, 'endTime', 'too_small', { min: row.startTime })
  },
  beforeRemove: rules.requireOwnRows,
  present: (wire, rows, call) => {
    const now = nowOf(call)
    for (const [at, row] of rows.entries()) presentState(call, blackList, wire[at]!, timeState(row, now))
  },
  actions: {
    lift: async (row, input, call) => {
      rules.requireOwnRows([row], call)
      const now = nowOf(call)
      if (timeState(row, now) === 'over') throw new Refused('black_over')
      // One that has not begun never begins.
      const lifted = await call.db.update(blackList, row.id, {
        startTime: row.startTime! > now ? now : row.startTime,
        endTime: now,
        liftReason: input.liftReason,
      })
      publishChanged(call, blackList, [lifted])
    },
  },
})
