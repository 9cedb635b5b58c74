import { defineJob } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { notice } from './notice.resource.ts'
import { announceNoticeToBrowsers, NOTICE_RELEASE_QUEUE } from './notice.server.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'

/**
 * Announces a notice to the browsers at its release time, once also after a crash. Does nothing when the notice was
 * announced already or released later: a changed release time enqueues a job of its own.
 */
export const announceDueNoticeJob = defineJob<{ id: string }>({
  queue: NOTICE_RELEASE_QUEUE,
  run: async ({ id }, context) => {
    const { services } = context as typeof context & { services: Services }
    await services.unit({ tenantId: context.tenantId }, async (db) => {
      const row = await db.get(notice, id, 'forUpdate')
      const now = services.now()
      if (!row?.releaseTime || row.announcedTime || parseShanghaiTime(row.releaseTime) > now) return
      await db.update(notice, id, { announcedTime: formatShanghaiTime(now) })
      announceNoticeToBrowsers(db, row)
    })
  },
})
