import { may } from '#kit/server/caller.ts'
import { sql, type Sql } from '#kit/server/database/db.ts'
import { readBatch } from '#kit/server/database/db.ts'
import { readBinding, visibleRows } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import { MOMENTS } from './camera-picture.resource.ts'
import { registerClockSkew, correctClockSkew } from './clocks.ts'

/** When what happened truly happened, for those who may see it on its own page. */

export type MomentKind = keyof typeof MOMENTS
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

/** A sale over the counter is told by the register's clock, whose module knows how slow it is. */
const REGISTER_SKEW = `(select c.clock_skew from cash_register c where c.tenant_id = r.tenant_id
  and c.id = r.cash_register_id)`

const reads: Record<MomentKind, Sql> = {
  visit: columns(ms('r.enter_time'), ms('r.leave_time'), 'r.id::text'),
  door: columns(ms('r.create_time'), none, 'r.command_id'),
  order: columns(ms('coalesce(r.pay_time, r.create_time)'), none, 'r.order_no', REGISTER_SKEW),
  event: columns(ms('r.occur_time'), none, 'r.content'),
  count: columns(ms('r.create_time'), ms('r.post_time'), 'r.count_no'),
}

export const isMomentKind = (kind: string): kind is MomentKind => Object.hasOwn(MOMENTS, kind)

/** Where something happened, and when by the true clock; refuses what the caller may not see. */
export async function momentOf(call: Call, kind: MomentKind, id: string): Promise<Moment> {
  const { services, caller } = call
  const served = services.registry.served.get(MOMENTS[kind])!
  const { resource } = served
  if (!may(caller, resource.code)) throw new Refused('forbidden')
  const [rows] = await readBatch(services.pool, readBinding(call), [
    sql`select ${reads[kind]} ${visibleRows(served, call)} and r.id = ${id}`,
  ])
  const [found] = (rows ?? []) as unknown as MomentRow[]
  if (!found?.shopId || found.at === null) throw new Refused('not_found', { label: resource.label })
  const at = correctClockSkew(new Date(Number(found.at)), registerClockSkew(found.skew))
  return {
    shopId: found.shopId,
    at,
    title: found.title ?? '',
    ...(found.until !== null && { until: new Date(Number(found.until)) }),
  }
}
