import { formatYuan } from '#kit/fields/money/cents.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { lockCustomer, lockCustomerOfRow } from './accounts.ts'
import type { PatchOf, LocalizedText } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { annualFeeConf } from './annual-fee-conf.resource.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'
import { optionalShopScope } from './own-or-shared.ts'
import { shiftLaterTerms, newCardNo, refreshLevel } from './membership-terms.ts'
import { presentStateWithLabel, periodStateAt } from './time-state.ts'
import { vipDay } from './vip-day.resource.ts'
import { vipInfo } from './vip-info.resource.ts'
import { vipLevel } from './vip-level.resource.ts'
import { vipPrice } from './vip-price.resource.ts'

const nowOf = (call: Call) => formatShanghaiTime(call.services.now())

export const vipLevelServer = serve(vipLevel)

export const annualFeeConfServer = serve(annualFeeConf)

/** Filter `standing` of the list: terms that are running, end within 30 days, or are over. */
const standing = ({ query, services }: Call) => {
  const now = formatShanghaiTime(services.now())
  if (query.standing === 'running')
    return sql` and r.status = ${MEMBERSHIP_TERM_STATE.valid} and r.start_time <= ${now}::timestamptz
      and r.end_time > ${now}::timestamptz`
  if (query.standing === 'ending')
    return sql` and r.status = ${MEMBERSHIP_TERM_STATE.valid} and r.end_time > ${now}::timestamptz
      and r.end_time <= ${now}::timestamptz + interval '30 days'`
  if (query.standing === 'over')
    return sql` and (r.status <> ${MEMBERSHIP_TERM_STATE.valid} or r.end_time <= ${now}::timestamptz)`
  return sql``
}

/** Refuses a second card of the same level for an overlapping period: it would give nothing more. */
async function refuseSecondCard({ db }: Call, draft: PatchOf<typeof vipInfo>): Promise<void> {
  const [other] = await db.find(
    vipInfo,
    sql`r.wx_user_id = ${draft.wxUserId} and r.level = ${draft.level} and r.card_no is distinct
      from ${draft.cardNo ?? null} and r.status = ${MEMBERSHIP_TERM_STATE.valid}
        and r.end_time > ${draft.startTime}::timestamptz
      and r.start_time < ${draft.endTime}::timestamptz`,
    sql`order by r.end_time desc limit 1`,
  )
  if (other)
    throw new Refused(
      'card_runs_already',
      { cardNo: other.cardNo, until: other.endTime.slice(0, 10) },
      { field: 'level' },
    )
}

export const vipInfoServer = serve(vipInfo, {
  beforeLock: lockCustomerOfRow(vipInfo),
  where: standing,
  beforeSave: async (draft, was, call) => {
    if (was) return
    draft.startTime ??= nowOf(call)
    if (draft.endTime! <= draft.startTime)
      throw invalidFieldRefusal(vipInfo, 'endTime', 'too_small', { min: draft.startTime })
    draft.wxUserId = (await lockCustomer(call.db, draft.wxUserId!)).id
    await refuseSecondCard(call, draft)
    draft.cardNo ||= newCardNo()
    draft.status = MEMBERSHIP_TERM_STATE.valid
    draft.source = 'office'
  },
  afterSave: (row, _was, call) => refreshLevel(call.db, row.wxUserId, nowOf(call)),
  present: (wire, rows, call) => {
    const now = nowOf(call)
    translateSystemTextField(wire, 'remark', call.lang)
    for (const [at, row] of rows.entries())
      presentStateWithLabel(
        call,
        vipInfo,
        wire[at]!,
        row.status === MEMBERSHIP_TERM_STATE.valid ? periodStateAt(row, now) : 'over',
      )
  },
  actions: {
    renew: async (row, input, call) => {
      const now = nowOf(call)
      const from = row.endTime > now ? row.endTime : now
      const { endTime } = (await call.db.one<{ endTime: string }>(
        sql`select ${from}::timestamptz + make_interval(months => ${input.months}::int) as end_time`,
      ))!
      const renewed = await call.db.update(vipInfo, row.id, { endTime, remark: input.reason })
      await shiftLaterTerms(
        call.db,
        { wxUserId: row.wxUserId, level: row.level, at: row.startTime! > now ? row.startTime! : now },
        endTime,
      )
      await refreshLevel(call.db, row.wxUserId, now)
      publishRowsChanged(call, vipInfo, [renewed])
      return { id: row.id, endTime }
    },
    cancel: async (row, input, call) => {
      await requireTransition(call, vipInfo, row.id, 'cancel', { remark: input.reason })
      await refreshLevel(call.db, row.wxUserId, nowOf(call))
    },
  },
})

/** A period as text, for example "from … to …" or "no expiry". */
function periodOf(from: string | null, until: string | null): LocalizedText {
  if (from && until) return { zh: `${from} 至 ${until}`, en: `${from} to ${until}` }
  if (from) return { zh: `${from} 起`, en: `from ${from}` }
  return until ? { zh: `至 ${until}`, en: `until ${until}` } : { zh: '长期有效', en: 'no expiry' }
}

export const vipPriceServer = serve(vipPrice, {
  beforeSave: async (draft, was, call) => {
    const row = { ...was, ...draft }
    await call.db.advisoryLock(`vipPrice/${row.goodId!}`)
    const good = await call.db.one<{ shopId: string; salePrice: number }>(
      sql`select shop_id, sale_price from good_info where id = ${row.goodId}
        and tenant_id = ${call.db.tenantId} and is_deleted = 0`,
    )
    if (good?.shopId !== row.shopId) throw invalidFieldRefusal(vipPrice, 'goodId', 'not_found')
    if (row.price! > good!.salePrice)
      throw invalidFieldRefusal(vipPrice, 'price', 'too_large', { max: formatYuan(good!.salePrice) })
    if (row.startTime && row.endTime && row.endTime <= row.startTime)
      throw invalidFieldRefusal(vipPrice, 'endTime', 'too_small', { min: row.startTime })
    const [other] = await call.db.find(
      vipPrice,
      sql`r.good_id = ${row.goodId} and r.id is distinct from ${was?.id ?? null}::bigint
        and coalesce(r.start_time, '-infinity') < coalesce(${row.endTime ?? null}::timestamptz, 'infinity')
        and coalesce(r.end_time, 'infinity') > coalesce(${row.startTime ?? null}::timestamptz, '-infinity')`,
      sql`order by r.id limit 1`,
    )
    if (other)
      throw new Refused('prices_overlap', {
        price: formatYuan(other.price),
        period: periodOf(other.startTime, other.endTime),
      })
  },
  present: async (wire, rows, call) => {
    const now = nowOf(call)
    const [goods] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select r.id, r.sale_price, r.cost_price from good_info r
        where r.id = any(${rows.map((row) => row.goodId)}::bigint[])${dataScopeSql(goodInfo, call.caller)}`,
    ])
    const hasCost = canReadField(goodInfo, 'costPrice', call.caller)
    const hasPrice = canReadField(goodInfo, 'salePrice', call.caller)
    const byId = new Map(
      (goods as { id: string; salePrice: number; costPrice: number | null }[]).map((good) => [good.id, good]),
    )
    for (const [at, row] of rows.entries()) {
      const good = byId.get(row.goodId)
      const cost = hasCost ? good?.costPrice : null
      presentStateWithLabel(call, vipPrice, wire[at]!, periodStateAt(row, now))
      Object.assign(wire[at]!, {
        salePrice: good && hasPrice ? formatYuan(good.salePrice) : -1,
        costPrice: cost != null ? formatYuan(cost) : -1,
        margin: cost != null && row.price ? (((row.price - cost) / row.price) * 100).toFixed(1) : '',
      })
    }
  },
})

export const vipDayServer = serve(vipDay, {
  where: optionalShopScope.where,
  beforeSave: (draft, was, call) => {
    if (was) optionalShopScope.requireOwnRows([was], call)
    const row = { ...was, ...draft }
    if (row.cycle === 'weekly' && row.days?.some((day) => Number(day) > 7))
      throw invalidFieldRefusal(vipDay, 'days', 'too_large', { max: 7 })
    if (row.startDate && row.endDate && row.endDate < row.startDate)
      throw invalidFieldRefusal(vipDay, 'endDate', 'too_small', { min: row.startDate })
  },
  beforeRemove: optionalShopScope.requireOwnRows,
})
