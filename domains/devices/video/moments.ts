/** When an event, visit, order, door command or count happened, corrected to true time, for callers who may see it. */

import { hasPermission } from '#kit/server/base/caller.ts'
import { sql, type Sql, readBatch } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { resourceNameByMomentKind } from './camera-picture.resource.ts'
import { clockSkewMsOfRegister, correctClockSkew } from './clocks.ts'

export type VideoMomentKind = keyof typeof resourceNameByMomentKind
type Moment = { shopId: string; at: Date; until?: Date; title: string }

type MomentRow = {
  shopId: string | null
  at: number | null
  until: number | null
  skew: number | null
  title: string | null
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const none = 'null::float8'

const columns = (at: string, until: string, title: string, skew = 'null::int'): Sql =>
  sql([`r.shop_id::text as "shopId", ${at} as at, ${until} as until, ${title} as title, ${skew} as skew`])

/** The clock error of the register that reported a sale, in seconds it is behind. */
const REGISTER_SKEW = `(select c.clock_skew from cash_register c where c.tenant_id = r.tenant_id
  and c.id = r.cash_register_id)`

const reads: Record<VideoMomentKind, Sql> = {
  visit: columns(ms('r.enter_time'), ms('r.leave_time'), 'r.id::text'),
  door: columns(ms('r.create_time'), none, 'r.command_id'),
  order: columns(ms('coalesce(r.pay_time, r.create_time)'), none, 'r.order_no', REGISTER_SKEW),
  event: columns(ms('r.occur_time'), none, 'r.content'),
  count: columns(ms('r.create_time'), ms('r.post_time'), 'r.count_no'),
}

export const isVideoMomentKind = (kind: string): kind is VideoMomentKind =>
  Object.hasOwn(resourceNameByMomentKind, kind)

/** Returns where and when something happened, in true time. Refuses what the caller may not see. */
export async function requireVideoMoment(call: Call, kind: VideoMomentKind, id: string): Promise<Moment> {
  const { services, caller } = call
  const served = services.registry.served.get(resourceNameByMomentKind[kind])!
  const { resource } = served
  if (!hasPermission(caller, resource.code)) throw new Refused('forbidden')
  const [rows] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${reads[kind]} ${visibleRowsSql(served, call)} and r.id = ${id}`,
  ])
  const [found] = (rows ?? []) as unknown as MomentRow[]
  if (!found?.shopId || found.at === null) throw new Refused('not_found', { label: resource.label })
  const at = correctClockSkew(new Date(Number(found.at)), clockSkewMsOfRegister(found.skew))
  return {
    shopId: found.shopId,
    at,
    title: found.title ?? '',
    ...(found.until !== null && { until: new Date(Number(found.until)) }),
  }
}
