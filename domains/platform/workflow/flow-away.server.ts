import { hasPermission, type Caller } from '#kit/server/base/caller.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve } from '#kit/server/module/module.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { flowAway } from './flow-away.resource.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { taskReassignmentQueue } from './process-runtime.ts'

/**
 * Whether the caller may enter an absence: everybody for themselves, administrators for others, as it delegates tasks.
 */
const maySayFor = (caller: Caller, userId: string | null | undefined) => userId === caller.userId || caller.isAdmin

export const flowAwayServer = serve(flowAway, {
  where: ({ caller }) =>
    hasPermission(caller, flowInstance.code)
      ? empty
      : sql` and (r.user_id = ${caller.userId} or r.deputy_id = ${caller.userId} or r.create_user = ${caller.userId})`,
  beforeSave: (draft, was, { caller }) => {
    const userId = draft.userId ?? was?.userId
    if (![userId, was?.userId ?? userId].every((one) => maySayFor(caller, one)))
      throw new Refused('flow_away_own', {}, { field: 'userId' })
    if (userId === (draft.deputyId ?? was?.deputyId))
      throw new Refused('flow_stands_in_for_itself', {}, { field: 'deputyId' })
    if (parseShanghaiTime(draft.endTime ?? was!.endTime) <= parseShanghaiTime(draft.startTime ?? was!.startTime))
      throw new Refused('flow_leave_times', {}, { field: 'endTime' })
  },
  beforeRemove: (rows, { caller }) => {
    if (!rows.every((row) => maySayFor(caller, row.userId) || row.deputyId === caller.userId))
      throw new Refused('flow_away_own')
  },
  afterSave: async (row, _was, { db }) => {
    if (row.handOver)
      await db.enqueue(
        taskReassignmentQueue,
        { awayId: row.id },
        { key: `${row.id}/${row.version}`, runAt: parseShanghaiTime(row.startTime) },
      )
  },
})
