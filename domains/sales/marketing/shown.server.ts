import { periodStateAt } from '#domains/sales/customers/index.ts'
import type { Resource } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { advertising } from './advertising.resource.ts'
import { bannerConf } from './banner-conf.resource.ts'
import { marketingInfo } from './marketing-info.resource.ts'
import { shopListScope } from './own-shops.ts'
import { shopMarkting } from './shop-markting.resource.ts'

type Span = { startTime?: string | null; endTime?: string | null }

function requireSpan(resource: Resource<any, any>, row: Span): void {
  if (row.startTime && row.endTime && row.endTime <= row.startTime)
    throw invalidFieldRefusal(resource, 'endTime', 'too_small', { min: row.startTime })
}

/** Hooks of resources with a period: the list filter `standing`, the check of the period, and the computed state. */
const timed = (resource: Resource<any, any>) => ({
  where: ({ query, services }: Call) => {
    const now = formatShanghaiTime(services.now())
    if (query.standing === 'running')
      return sql` and (r.start_time is null or r.start_time <= ${now}::timestamptz) and (r.end_time is null
        or r.end_time > ${now}::timestamptz)`
    if (query.standing === 'coming') return sql` and r.start_time > ${now}::timestamptz`
    return query.standing === 'over' ? sql` and r.end_time <= ${now}::timestamptz` : sql``
  },
  beforeSave: (draft: Span, was: Span | undefined) => requireSpan(resource, { ...was, ...draft }),
  present: (wire: Record<string, unknown>[], rows: Span[], call: Call) => {
    const now = formatShanghaiTime(call.services.now())
    for (const [at, row] of rows.entries()) wire[at]!.state = periodStateAt(row, now)
  },
})

export const bannerConfServer = serve(bannerConf, timed(bannerConf))
export const marketingInfoServer = serve(marketingInfo, timed(marketingInfo))

const inTime = timed(advertising)
export const advertisingServer = serve(advertising, {
  ...inTime,
  where: (call) => sql`${shopListScope.where(call)}${inTime.where(call)}`,
  beforeSave: (draft, was, call) => {
    if (was) shopListScope.requireOwnRows([was], call)
    requireSpan(advertising, { ...was, ...draft })
  },
  beforeRemove: (rows, call) => shopListScope.requireOwnRows(rows, call),
})

export const shopMarktingServer = serve(shopMarkting, {
  present: (wire, rows) => {
    for (const [at, { salesAmount, costAmount }] of rows.entries())
      wire[at]!.margin = salesAmount ? Math.round(((salesAmount - (costAmount ?? 0)) / salesAmount) * 1000) / 10 : -1
  },
})
