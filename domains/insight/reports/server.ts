import { defineRetentionParam } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { insertMissingBuiltInReports } from './built-in.ts'
import { reportDictionaries } from './dictionaries.ts'
import { REPORT_TOOL_URL_PARAM } from './params.ts'
import { reportFileServer } from './report-file.server.ts'
import { reportRoutes } from './report.server.ts'
import { reportViewServer } from './report-view.server.ts'
import { sendReportJob } from './send.job.ts'
import { sentReportRoutes } from './sent.server.ts'
import { enqueueDueReportsJob, reportSentServer, reportTimingServer } from './timing.server.ts'

export default defineModule({
  name: 'insight/reports',
  label: { zh: '打印报表', en: 'Print reports' },
  resources: [reportViewServer, reportTimingServer, reportSentServer, reportFileServer],
  routes: [...reportRoutes, ...sentReportRoutes],
  params: [REPORT_TOOL_URL_PARAM],
  jobs: [enqueueDueReportsJob, sendReportJob],
  retention: [
    {
      table: 'report_sent',
      param: defineRetentionParam(
        'reportSentDays',
        90,
        { zh: '收到的报表保留天数', en: 'Delivered report retention (days)' },
        30,
      ),
    },
  ],
  dictionaries: reportDictionaries,
  menus: [
    { code: 'report', label: { zh: '打印报表', en: 'Print reports' }, path: '/report', icon: 'file-text', sort: 5 },
  ],
  seed: (db: Db) => insertMissingBuiltInReports(db),
})
