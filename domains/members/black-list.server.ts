import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve, type Call } from '#kit/server/room.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { paramNumber } from '#domains/system/doors.ts'
import { survivorOf } from './accounts.ts'
import { blackList } from './black-list.resource.ts'
import { ownOrShared } from './own-or-shared.ts'
import { BLACK_DAYS } from './params.ts'
import { presentState, timeState } from './time-state.ts'

const DAY_MS = 86_400_000
const nowOf = (call: Call) => shanghaiText(call.services.now())

type Entry = { pictures?: string[] | null; visitId?: string | null; endTime?: string | null }

/** Nobody is kept out on a word alone. Entries from before that was so are asked when their proof is touched. */
function requireProof(draft: Entry, was: Entry | undefined): void {
  if (was && draft.pictures === undefined && draft.visitId === undefined) return
  const { pictures, visitId } = { ...was, ...draft }
  if (!pictures?.length && !visitId) throw invalidField(blackList, 'pictures', 'required')
}

/** Nobody is kept out for ever. */
async function requireEnd(draft: Entry, was: Entry | undefined, startTime: string, { services }: Call): Promise<void> {
  if (was && draft.endTime === undefined) return
  const endTime = draft.endTime === undefined ? was?.endTime : draft.endTime
  if (!endTime) throw invalidField(blackList, 'endTime', 'required')
  const days = await paramNumber(services, BLACK_DAYS)
  const latest = shanghaiText(new Date(fromShanghai(startTime).getTime() + days * DAY_MS))
  if (endTime > latest && endTime !== was?.endTime)
    throw invalidField(blackList, 'endTime', 'too_large', { max: latest })
}

/** Ends an entry now; one that has not begun never begins. */
export async function endEntry(row: RowOf<typeof blackList>, liftReason: string, call: Call): Promise<void> {
  const now = nowOf(call)
  const startTime = row.startTime! > now ? now : row.startTime
  const lifted = await call.db.update(blackList, row.id, { startTime, endTime: now, liftReason })
  publishChanged(call, blackList, [lifted])
}

export const blackListServer = serve(blackList, {
  where: (call) =>
    call.query.standing === 'running'
      ? sql`${ownOrShared.where(call)} and r.start_time <= ${nowOf(call)}::timestamptz and (r.end_time is null
        or r.end_time > ${nowOf(call)}::timestamptz)`
      : ownOrShared.where(call),
  beforeSave: async (draft, was, call) => {
    if (was) ownOrShared.requireOwnRows([was], call)
    const row = { ...was, ...draft }
    if (!row.wxUserId && !row.phone) throw new Refused('black_nobody')
    if (draft.wxUserId) draft.wxUserId = (await survivorOf(call.db, draft.wxUserId)) ?? draft.wxUserId
    if (!row.startTime) row.startTime = draft.startTime = nowOf(call)
    if (row.endTime && row.endTime <= row.startTime)
      throw invalidField(blackList, 'endTime', 'too_small', { min: row.startTime })
    requireProof(draft, was)
    await requireEnd(draft, was, row.startTime, call)
  },
  beforeRemove: ownOrShared.requireOwnRows,
  present: (wire, rows, call) => {
    const now = nowOf(call)
    for (const [at, row] of rows.entries()) presentState(call, blackList, wire[at]!, timeState(row, now))
  },
  actions: {
    lift: async (row, input, call) => {
      ownOrShared.requireOwnRows([row], call)
      if (timeState(row, nowOf(call)) === 'over') throw new Refused('black_over')
      await endEntry(row, input.liftReason, call)
    },
  },
})
