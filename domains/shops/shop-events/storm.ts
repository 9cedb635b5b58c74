import { sql, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { event, EventType } from './event.resource.ts'

/** Events one broken or stolen device can raise without end, each with a new subject. */
const OF_DEVICES: readonly EventType[] = [
  'doorForced',
  'doorLeftOpen',
  'lockFault',
  'unpaidLeave',
  'paperOut',
  'tagBatteryLow',
  'deviceMessage',
]
/** Maximum notifications of a type and shop within `WITHIN`; further events are only listed. */
const NOTICES_MAX = 20
const WITHIN = '10 minutes'

export const STORM_NOTICE_PREFIX = {
  zh: '接连发生，暂不再逐一通知：',
  en: 'Repeated events, further ones are not notified for now: ',
}

/** Whether an event is notified: `calm` yes, `last` for the last time for now, `storm` no. */
export async function eventStormState(db: Db, one: RowOf<typeof event>): Promise<'calm' | 'last' | 'storm'> {
  if (!OF_DEVICES.includes(one.type as EventType)) return 'calm'
  const before = await db.one<{ n: number }>(sql`select count(*)::int as n from (select 1 from shop_event e
    where e.tenant_id = ${db.tenantId} and e.type = ${one.type} and e.shop_id = ${one.shopId} and e.id < ${one.id}
    and e.create_time > (select t.create_time from shop_event t where t.tenant_id = ${db.tenantId} and t.id = ${one.id})
      - ${WITHIN}::interval limit ${NOTICES_MAX}) as notices`)
  if (before!.n >= NOTICES_MAX) return 'storm'
  return before!.n === NOTICES_MAX - 1 ? 'last' : 'calm'
}
