import { f } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type ServedResource } from '#kit/server/module/module.ts'
import { customerVisitLog } from './visit.resource.ts'
import { selectVisitMomentsSql, presentVisitMoments, visitServer } from './visit.server.ts'

/**
 * Loads everything that belongs to a visit in one round trip: its timeline, door openings, commands sent to the shop
 * meanwhile (announcements too), orders, refunds and events; each as far as the caller may see it in its own list.
 */
async function wholeVisit(call: Call<{ id: string | null }>) {
  const { services, caller, input } = call
  const { id } = input
  const mine = sql`${visibleRowsSql(visitServer, call)} and r.id = ${id}`

  const read = (key: string, name: string, where: Sql) => {
    const one = services.registry.served.get(name)!
    const statement = sql`select ${selectColumnsSql(services.registry, one.resource, 'detail')}
      ${visibleRowsSql(one, call)}
      and ${where} order by r.id limit 200`
    return { key, one, statement }
  }

  const parts = [
    read('doors', 'doorControlLog', sql`r.visit_id = ${id}`),
    read(
      'commands',
      'deviceCommand',
      sql`(r.visit_id = ${id} or (r.method in ('door.control', 'door.forceClose', 'audio.play')
        and exists (select 1 from customer_visit_log v where v.tenant_id = r.tenant_id and v.id = ${id}
        and v.shop_id = r.shop_id and r.create_time between v.enter_time and coalesce(v.leave_time
        + case when r.method = 'audio.play' then interval '30 seconds' else interval '0' end, now()))))`,
    ),
    read('orders', 'shoppingOrder', sql`r.visit_id = ${id}`),
    read(
      'refunds',
      'refunds',
      sql`exists (select 1 from shopping_order o where o.tenant_id = r.tenant_id and o.id = r.order_id
        and o.visit_id = ${id})`,
    ),
    read('events', 'event', sql`r.subject = ${`visit/${id}`}`),
  ].filter(({ one }) => hasPermission(caller, one.resource.code))

  await services.labels.ready(caller.tenantId)
  const [visits, moments, ...rows] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${selectColumnsSql(services.registry, customerVisitLog, 'detail')} ${mine}`,
    selectVisitMomentsSql(mine),
    ...parts.map(({ statement }) => statement),
  ])
  if (!visits!.length) throw new Refused('not_found', { label: customerVisitLog.label })

  const wire = (one: ServedResource, found: Record<string, unknown>[]) =>
    presentRows(call, one.resource, one.hooks, found)
  const [visit] = await wire(visitServer, visits!)
  const seen = await Promise.all(parts.map(async ({ key, one }, at) => [key, await wire(one, rows[at]!)] as const))
  return { visit, moments: await presentVisitMoments(call, moments!), ...Object.fromEntries(seen) }
}

export const wholeVisitRoute = defineRoute({
  method: 'GET',
  path: `${customerVisitLog.path}/whole`,
  title: { zh: '到店全程', en: 'Visit details' },
  can: customerVisitLog.code,
  input: { id: f.ref('', { label: customerVisitLog.label, required: true }) },
  tx: false,
  handle: wholeVisit,
})
