import { keptDays } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineModule } from '#kit/server/module.ts'
import { seedBuiltIns } from './built-in.ts'
import { reportDictionaries } from './dictionaries.ts'
import { REPORT_URL } from './params.ts'
import { reportFileServer } from './report-file.server.ts'
import { reportRoutes } from './report.server.ts'
import { reportViewServer } from './report-view.server.ts'
import { sendJob } from './send.job.ts'
import { sentRoutes } from './sent.server.ts'
import { clockJob, reportSentServer, reportTimingServer } from './timing.server.ts'

export default defineModule({
  name: 'insight/reports',
  label: { zh: '打印报表', en: 'Print reports' },
  resources: [reportViewServer, reportTimingServer, reportSentServer, reportFileServer],
  routes: [...reportRoutes, ...sentRoutes],
  params: [REPORT_URL],
  jobs: [clockJob, sendJob],
  retention: [
    {
      table: 'report_sent',
      param: keptDays('reportSentDays', 90, { zh: '收到的报表保留天数', en: 'Delivered report retention (days)' }, 30),
    },
  ],
  dictionaries: reportDictionaries,
  menus: [
    { code: 'report', label: { zh: '打印报表', en: 'Print reports' }, path: '/report', icon: 'file-text', sort: 5 },
  ],
  seed: (db: Db) => seedBuiltIns(db),
})
