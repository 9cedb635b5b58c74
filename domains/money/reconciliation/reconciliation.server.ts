import type { RowOf } from '#kit/resource/index.ts'
import { empty, sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { SYSTEM_TEXT_SEPARATOR, translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition, transition } from '#kit/server/resource/transition.ts'
import { visibleMerchantsSql } from '#domains/money/merchant-accounts/api.ts'
import { requestMoneyMove } from '#domains/money/payment-channels/api.ts'
import { enqueueComparison } from './compare.job.ts'
import { applyResolution, computeOutgoingCents } from './resolutions.ts'
import { OPEN_DIFFERENCE_STATES } from './dictionaries.ts'
import { RESOLUTIONS, findDifferenceKind, type Resolution } from './kinds.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'

type Difference = RowOf<typeof reconciliationDifference>

/** Kind of the money move while a resolution waits for a second approval. */
export const DIFFERENCE_RESOLUTION_MOVE = 'tally'
const DAY_MS = 86_400_000

/** SQL condition: people of a shop see rows of their shop, and those of merchants whose shops are all theirs. */
const ofOwn = (call: Call): Sql =>
  call.caller.limits.shop
    ? sql` and (r.shop_id = any(${call.caller.limits.shop}::bigint[])
        or (r.shop_id is null${visibleMerchantsSql(call)}))`
    : empty

export const reconciliationDayServer = serve(reconciliationDay, {
  where: ofOwn,
  beforeSave: (_draft, was) => rejectManualCreate(reconciliationDay, was),
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'problem', lang),
  actions: {
    compare: async (row, _none, { services, db }) => enqueueComparison(services, db, row.id, true),
  },
})

const daysSince = (day: string, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - new Date(`${day}T00:00:00+08:00`).getTime()) / DAY_MS))

const requireResolution = ({ kind }: Pick<Difference, 'kind'>): Resolution => {
  const resolution = findDifferenceKind(kind)?.deed
  if (!resolution) throw new Refused('tally_no_line')
  return resolution
}

/** Executes the action of a difference now; refuses if it has been settled meanwhile. */
export async function resolveDifference(call: Pick<Call, 'db' | 'services' | 'caller'>, id: string): Promise<void> {
  const { db, services, caller } = call
  const row = await db.get(reconciliationDifference, id, 'forUpdate')
  if (!row || !OPEN_DIFFERENCE_STATES.includes(row.state as 'open')) throw new Refused('tally_no_line')
  const resolution = requireResolution(row)
  await applyResolution(call, resolution, row)
  // Reading again may change nothing, so the difference stays open until the comparison settles it.
  const to = resolution === 'readAgain' ? 'open' : 'asked'
  const done = { doneUser: caller.userId, doneTime: formatShanghaiTime(services.now()) }
  await requireTransition({ db }, reconciliationDifference, row.id, 'settle', done, { to })
}

const DECLINED = defineSystemText({
  zh: '第二人已驳回，可以再次处理',
  en: 'Rejected by the second approver. You can resolve it again.',
})

/** Records that the second person declined, with name and reason. The difference can be resolved again. */
export async function recordResolutionDeclined(
  call: Pick<Call, 'db' | 'services' | 'caller'>,
  id: string,
  why: string,
) {
  const { db, services, caller } = call
  await transition(db, reconciliationDifference, id, 'decline', {
    remark: [DECLINED, `${caller.name}: ${why}`].join(SYSTEM_TEXT_SEPARATOR).slice(0, 300),
    doneUser: caller.userId,
    doneTime: formatShanghaiTime(services.now()),
  })
}

export const reconciliationDifferenceServer = serve(reconciliationDifference, {
  where: ofOwn,
  beforeSave: (_draft, was) => rejectManualCreate(reconciliationDifference, was),
  present: (wire, rows, { lang, services }) => {
    translateSystemTextField(wire, 'remark', lang)
    const now = services.now()
    rows.forEach(({ day, doneTime, state }, at) => {
      const isOver = doneTime && !OPEN_DIFFERENCE_STATES.includes(state as 'open')
      const until = isOver ? new Date(`${doneTime.replace(' ', 'T')}+08:00`) : now
      wire[at]!.age = day ? daysSince(day, until) : 0
    })
  },
  actions: {
    settle: async (row, _none, call) => {
      const { title, orderId, shopId } = row
      const amount = RESOLUTIONS[requireResolution(row)].isMoney
        ? await computeOutgoingCents(call.db, requireResolution(row), row)
        : 0
      const subject = { subjectKey: row.id, subjectNo: title!, orderId, shopId, amount }
      const move = await requestMoneyMove(call, { kind: DIFFERENCE_RESOLUTION_MOVE, ...subject })
      const doneTime = formatShanghaiTime(call.services.now())
      const patch = { remark: null, doneUser: call.caller.userId, doneTime }
      if (move?.waits) await requireTransition(call, reconciliationDifference, row.id, 'settle', patch, { to: 'waits' })
      return move
    },
    accept: async (row, { remark }, call) => {
      await requireTransition(call, reconciliationDifference, row.id, 'accept', {
        remark,
        doneUser: call.caller.userId,
        doneTime: formatShanghaiTime(call.services.now()),
      })
      await enqueueComparison(call.services, call.db, row.dayId!, false)
    },
  },
})
