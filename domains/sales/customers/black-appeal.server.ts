import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve, type Call } from '#kit/server/module.ts'
import { lockVisibleRow, publishChanged } from '#kit/server/resource/submit-of.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { blackAppeal } from './black-appeal.resource.ts'
import { blackList } from './black-list.resource.ts'
import { blackListServer, endEntry } from './black-list.server.ts'
import { APPEAL } from './dictionaries.ts'
import { ownOrShared } from './own-or-shared.ts'
import { timeState } from './time-state.ts'

type Appeal = RowOf<typeof blackAppeal>
type Entry = RowOf<typeof blackList>

/** The entry an appeal is about, locked; whoever made it leaves the decision to somebody else. */
async function entryOf(appeal: Appeal, call: Call): Promise<Entry> {
  ownOrShared.requireOwnRows([appeal], call)
  const entry = (await lockVisibleRow(blackListServer, call, appeal.blackListId)) as Entry
  if (entry.createUser === call.caller.userId) throw new Refused('appeal_own_entry')
  return entry
}

async function decide(appeal: Appeal, status: number, decision: string, call: Call) {
  const row = await call.db.update(blackAppeal, appeal.id, {
    status,
    decision,
    decideUser: call.caller.userId,
    decideTime: shanghaiText(call.services.now()),
  })
  publishChanged(call, blackAppeal, [row])
  return { id: row.id, status }
}

export const blackAppealServer = serve(blackAppeal, {
  where: ownOrShared.where,
  beforeSave: async (draft, was, call) => {
    if (was) return
    const id = draft.blackListId!
    await call.db.advisoryLock(`appeal/${id}`)
    const [entry] = await call.db.find(blackList, sql`r.id = ${id}`)
    if (!entry) throw invalidField(blackAppeal, 'blackListId', 'not_found')
    if (timeState(entry, shanghaiText(call.services.now())) === 'over') throw new Refused('appeal_over')
    const open = await call.db.one(sql`select 1 from black_appeal where tenant_id = ${call.db.tenantId}
      and black_list_id = ${id} and status = ${APPEAL.open}`)
    if (open) throw new Refused('appeal_open')
    draft.shopId = entry.shopId
    draft.status = APPEAL.open
  },
  actions: {
    uphold: async (row, input, call) => {
      await entryOf(row, call)
      return decide(row, APPEAL.upheld, input.decision, call)
    },
    lift: async (row, input, call) => {
      const entry = await entryOf(row, call)
      if (timeState(entry, shanghaiText(call.services.now())) !== 'over') await endEntry(entry, input.decision, call)
      return decide(row, APPEAL.lifted, input.decision, call)
    },
  },
})
