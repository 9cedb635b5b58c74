import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { lockVisibleRow } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { blackAppeal } from './black-appeal.resource.ts'
import { blackList } from './black-list.resource.ts'
import { blackListServer, endBlackListEntry } from './black-list.server.ts'
import { BLACK_LIST_APPEAL_STATE } from './dictionaries.ts'
import { optionalShopScope } from './own-or-shared.ts'
import { periodStateAt } from './time-state.ts'

type Appeal = RowOf<typeof blackAppeal>
type Entry = RowOf<typeof blackList>

/** Locks and returns the entry an appeal is about. Refuses a caller who made the entry. */
async function entryOf(appeal: Appeal, call: Call): Promise<Entry> {
  optionalShopScope.requireOwnRows([appeal], call)
  const entry = (await lockVisibleRow(blackListServer, call, appeal.blackListId)) as Entry
  if (entry.createUser === call.caller.userId) throw new Refused('appeal_own_entry')
  return entry
}

async function decide(appeal: Appeal, move: 'uphold' | 'lift', decision: string, call: Call) {
  const row = await requireTransition(call, blackAppeal, appeal.id, move, {
    decision,
    decideUser: call.caller.userId,
    decideTime: formatShanghaiTime(call.services.now()),
  })
  return { id: row.id, status: row.status }
}

export const blackAppealServer = serve(blackAppeal, {
  where: optionalShopScope.where,
  beforeSave: async (draft, was, call) => {
    if (was) return
    const id = draft.blackListId!
    await call.db.advisoryLock(`appeal/${id}`)
    const [entry] = await call.db.find(blackList, sql`r.id = ${id}`)
    if (!entry) throw invalidFieldRefusal(blackAppeal, 'blackListId', 'not_found')
    if (periodStateAt(entry, formatShanghaiTime(call.services.now())) === 'over') throw new Refused('appeal_over')
    const open = await call.db.one(sql`select 1 from black_appeal where tenant_id = ${call.db.tenantId}
      and black_list_id = ${id} and status = ${BLACK_LIST_APPEAL_STATE.open}`)
    if (open) throw new Refused('appeal_open')
    draft.shopId = entry.shopId
    draft.status = BLACK_LIST_APPEAL_STATE.open
  },
  actions: {
    uphold: async (row, input, call) => {
      await entryOf(row, call)
      return decide(row, 'uphold', input.decision, call)
    },
    lift: async (row, input, call) => {
      const entry = await entryOf(row, call)
      if (periodStateAt(entry, formatShanghaiTime(call.services.now())) !== 'over')
        await endBlackListEntry(entry, input.decision, call)
      return decide(row, 'lift', input.decision, call)
    },
  },
})
