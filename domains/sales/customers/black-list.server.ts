import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { recordMaskedValueMiss } from '#kit/server/query/masked-filters.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { resolveMergedCustomerId } from './accounts.ts'
import { blackList } from './black-list.resource.ts'
import { optionalShopScope } from './own-or-shared.ts'
import { BLACK_LIST_DAYS_MAX_PARAM } from './params.ts'
import { presentStateWithLabel, periodStateAt } from './time-state.ts'

const DAY_MS = 86_400_000
const nowOf = (call: Call) => formatShanghaiTime(call.services.now())

type Entry = {
  wxUserId?: string | null
  phone?: string | null
  visitId?: string | null
  shopId?: string | null
  startTime?: string | null
  endTime?: string | null
}

/**
 * Refuses a visit as proof unless it was in the entry's shop and, where only a phone is given, by the customer with
 * that phone.
 */
async function requireProof({ wxUserId, phone, visitId, shopId }: Entry, { db, caller }: Call): Promise<void> {
  if (!visitId) return
  const visit = await db.one<{ isThere: boolean; isTheirs: boolean }>(
    sql`select ${shopId ?? null}::bigint is null or v.shop_id = ${shopId ?? null} as "isThere",
      ${!!wxUserId} or exists (select 1 from wx_user w where w.tenant_id = v.tenant_id and w.id = v.wx_user_id
        and w.phone = ${phone ?? null}) as "isTheirs"
      from customer_visit_log v where v.tenant_id = ${db.tenantId} and v.id = ${visitId}`,
  )
  const { fields } = blackList
  if (visit && !visit.isTheirs && phone) recordMaskedValueMiss(blackList, 'phone', phone, caller)
  const other = !visit?.isThere ? fields.shopId : !visit.isTheirs ? fields.phone : undefined
  if (other) throw invalidFieldRefusal(blackList, 'visitId', 'of_other', { owner: other.label })
}

/**
 * Refuses an end later than the allowed number of days after the start. Also checked when only the start is changed.
 */
async function requireEnd({ startTime, endTime }: Entry, was: Entry | undefined, { services }: Call): Promise<void> {
  if (!endTime || (was && endTime === was.endTime && startTime === was.startTime)) return
  const days = await paramNumber(services, BLACK_LIST_DAYS_MAX_PARAM)
  const latest = formatShanghaiTime(new Date(parseShanghaiTime(startTime!).getTime() + days * DAY_MS))
  if (endTime > latest) throw invalidFieldRefusal(blackList, 'endTime', 'too_large', { max: latest })
}

/** Ends an entry now. An entry that has not begun gets its start moved to now as well, so it never applies. */
export async function endBlackListEntry(row: RowOf<typeof blackList>, liftReason: string, call: Call): Promise<void> {
  const now = nowOf(call)
  const startTime = row.startTime! > now ? now : row.startTime
  const lifted = await call.db.update(blackList, row.id, { startTime, endTime: now, liftReason })
  publishRowsChanged(call, blackList, [lifted])
}

export const blackListServer = serve(blackList, {
  where: (call) =>
    call.query.standing === 'running'
      ? sql`${optionalShopScope.where(call)} and r.start_time <= ${nowOf(call)}::timestamptz and (r.end_time is null
        or r.end_time > ${nowOf(call)}::timestamptz)`
      : optionalShopScope.where(call),
  beforeSave: async (draft, was, call) => {
    if (was) optionalShopScope.requireOwnRows([was], call)
    const row = { ...was, ...draft }
    if (draft.wxUserId) draft.wxUserId = (await resolveMergedCustomerId(call.db, draft.wxUserId)) ?? draft.wxUserId
    if (!row.startTime) row.startTime = draft.startTime = nowOf(call)
    if (row.endTime && row.endTime <= row.startTime)
      throw invalidFieldRefusal(blackList, 'endTime', 'too_small', { min: row.startTime })
    if (draft.visitId || draft.shopId || draft.phone) await requireProof(row, call)
    await requireEnd(row, was, call)
  },
  beforeRemove: optionalShopScope.requireOwnRows,
  present: (wire, rows, call) => {
    const now = nowOf(call)
    for (const [at, row] of rows.entries()) presentStateWithLabel(call, blackList, wire[at]!, periodStateAt(row, now))
  },
  actions: {
    lift: async (row, input, call) => {
      optionalShopScope.requireOwnRows([row], call)
      if (periodStateAt(row, nowOf(call)) === 'over') throw new Refused('black_over')
      await endBlackListEntry(row, input.liftReason, call)
    },
  },
})
