import { hasPermission } from '#kit/server/base/caller.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { serve } from '#kit/server/module/module.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { flowTask } from './flow-task.resource.ts'

/** Shows all tasks to who may follow processes, else those the caller has, had or may claim. */
export const flowTaskServer = serve(flowTask, {
  where: ({ query, caller }) => {
    const has = sql`(r.state = 'open' and r.assignee = ${caller.userId})`
    const mayClaim = sql`(r.state = 'open' and r.assignee is null
      and (r.users && ${[caller.userId]}::text[] or r.groups && ${[...caller.roleAliases]}::text[]))`
    if (query.mine === 'todo') return sql` and ${has}`
    if (query.mine === 'claim') return sql` and ${mayClaim}`
    if (hasPermission(caller, flowInstance.code)) return empty
    return sql` and (${has} or ${mayClaim} or r.assignee = ${caller.userId})`
  },
  beforeSave: (_draft, was) => rejectManualCreate(flowTask, was),
})
