import { defineModuleJob } from '#kit/server/module/module.ts'
import { notice } from './notice.resource.ts'
import { announceNoticeToBrowsers, noticeReleaseQueue } from './notice.server.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'

/**
 * Announces a notice to the browsers at its release time, once also after a crash. Does nothing when the notice was
 * announced already or released later: a changed release time enqueues a job of its own.
 */
export const announceDueNoticeJob = defineModuleJob({
  queue: noticeReleaseQueue,
  run: async ({ id }, { services, tenantId }) => {
    await services.unit({ tenantId }, async (db) => {
      const row = await db.get(notice, id, 'forUpdate')
      const now = services.now()
      if (!row?.releaseTime || row.announcedTime || parseShanghaiTime(row.releaseTime) > now) return
      await db.update(notice, id, { announcedTime: formatShanghaiTime(now) })
      announceNoticeToBrowsers(db, row)
    })
  },
})
