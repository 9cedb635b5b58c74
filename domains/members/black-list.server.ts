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

type Entry = { visitId?: string | null; shopId?: string | null; endTime?: string | null }

/** A visit proves something of the shop it was in. */
async function requireProofThere({ visitId, shopId }: Entry, { db }: Call): Promise<void> {
  if (!visitId || !shopId) return
  const visit = await db.one(sql`select 1 from customer_visit_log where tenant_id = ${db.tenantId} and id = ${visitId}
    and shop_id = ${shopId}`)
  if (!visit) throw invalidField(blackList, 'visitId', 'of_other', { owner: blackList.fields.shopId.label })
}

/** Nobody is kept out for ever. */
async function requireEnd(draft: Entry, was: Entry | undefined, startTime: string, { services }: Call): Promise<void> {
  if (was && draft.endTime === undefined) return
  const { endTime } = draft
  if (!endTime) return
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
    if (draft.wxUserId) draft.wxUserId = (await survivorOf(call.db, draft.wxUserId)) ?? draft.wxUserId
    if (!row.startTime) row.startTime = draft.startTime = nowOf(call)
    if (row.endTime && row.endTime <= row.startTime)
      throw invalidField(blackList, 'endTime', 'too_small', { min: row.startTime })
    if (draft.visitId || draft.shopId) await requireProofThere(row, call)
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
