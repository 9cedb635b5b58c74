import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { noteMiss } from '#kit/server/lists/masked-filters.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve, type Call } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { survivorOf } from './accounts.ts'
import { blackList } from './black-list.resource.ts'
import { ownOrShared } from './own-or-shared.ts'
import { BLACK_DAYS } from './params.ts'
import { presentState, timeState } from './time-state.ts'

const DAY_MS = 86_400_000
const nowOf = (call: Call) => shanghaiText(call.services.now())

type Entry = {
  wxUserId?: string | null
  phone?: string | null
  visitId?: string | null
  shopId?: string | null
  startTime?: string | null
  endTime?: string | null
}

/** A visit proves something of the shop it was in, and of who has the phone where no customer is named. */
async function requireProof({ wxUserId, phone, visitId, shopId }: Entry, { db, caller }: Call): Promise<void> {
  if (!visitId) return
  const visit = await db.one<{ isThere: boolean; isTheirs: boolean }>(
    sql`select ${shopId ?? null}::bigint is null or v.shop_id = ${shopId ?? null} as "isThere",
      ${!!wxUserId} or exists (select 1 from wx_user w where w.tenant_id = v.tenant_id and w.id = v.wx_user_id
        and w.phone = ${phone ?? null}) as "isTheirs"
      from customer_visit_log v where v.tenant_id = ${db.tenantId} and v.id = ${visitId}`,
  )
  const { fields } = blackList
  if (visit && !visit.isTheirs && phone) noteMiss(blackList, 'phone', phone, caller)
  const other = !visit?.isThere ? fields.shopId : !visit.isTheirs ? fields.phone : undefined
  if (other) throw invalidField(blackList, 'visitId', 'of_other', { owner: other.label })
}

/** Nobody is kept out for ever, also by moving the beginning. */
async function requireEnd({ startTime, endTime }: Entry, was: Entry | undefined, { services }: Call): Promise<void> {
  if (!endTime || (was && endTime === was.endTime && startTime === was.startTime)) return
  const days = await paramNumber(services, BLACK_DAYS)
  const latest = shanghaiText(new Date(fromShanghai(startTime!).getTime() + days * DAY_MS))
  if (endTime > latest) throw invalidField(blackList, 'endTime', 'too_large', { max: latest })
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
    if (draft.visitId || draft.shopId || draft.phone) await requireProof(row, call)
    await requireEnd(row, was, call)
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
