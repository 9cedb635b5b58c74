import { sql } from '#kit/server/database/db.ts'
import { defineRoomJob } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { fromShanghai } from '#kit/server/time.ts'
import { SILENT_SECONDS } from '#domains/shops/doors.ts'
import { raiseEvent, settleEvents } from './event.server.ts'

type Changed = { id: string; tenantId: string; lastSeenTime: string | null; isSilent: boolean }

/**
 * Raises `offline` for open shops nothing is heard of any more, once, and settles it when they are back. A shop never
 * heard of was never connected.
 */
export async function watchSilence(services: Services): Promise<void> {
  const limit = new Date(services.now().getTime() - SILENT_SECONDS * 1000).toISOString()
  const changed = await services.unit({ across: 'shops of all tenants that fell silent or came back' }, (db) =>
    db.query<Changed>(sql`
      select b.id, b.tenant_id, b.last_seen_time, b.status = 1 and b.is_deleted = 0
      and b.last_seen_time < ${limit} as is_silent
      from basic_shop_info b left join shop_event e on e.tenant_id = b.tenant_id and e.shop_id = b.id
      and e.open_key = 'offline/'
      where case when e.id is null then b.status = 1 and b.is_deleted = 0 and b.last_seen_time < ${limit}
      else not (b.status = 1 and b.is_deleted = 0 and b.last_seen_time < ${limit}) end order by b.id`),
  )
  for (const { id, tenantId, lastSeenTime, isSilent } of changed) {
    const seen = lastSeenTime && lastSeenTime.slice(5, 16)
    await services.unit({ tenantId }, async (db) => {
      if (!isSilent) return settleEvents(db, { shopId: id, type: 'offline' })
      return raiseEvent(db, {
        shopId: id,
        type: 'offline',
        at: fromShanghai(lastSeenTime!),
        content: { zh: `门店失去联系，最后在线 ${seen!}`, en: `Nothing heard of the shop since ${seen!}` },
      })
    })
  }
}

export const silenceJob = defineRoomJob({
  queue: 'shop.silence',
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) => watchSilence(services),
})
