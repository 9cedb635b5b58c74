import { personalOpeningsSlot } from '#kit/server/resource/open-personal.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { findRouteTitle } from './call-titles.ts'
import { deleteExpiredRowsJob, createUpcomingPartitionsJob } from './retention.job.ts'
import { logRetentionRules } from './log-retention.ts'
import { reportOrphanReferencesJob } from './orphans.job.ts'
import { flushLogs, recordSystemLogWithoutCall } from './api.ts'
import { requestLogDictionaries, requestLog } from './request-log.resource.ts'
import {
  PERSONAL_OPENING_MINUTES_PARAM,
  PERSONAL_OPENINGS_HOURLY_PARAM,
  personalOpeningsRecorder,
  PERSONAL_OPENINGS_ALERT_PARAM,
  personalOpeningServer,
} from './personal-opening.server.ts'
import { logApi, logDictionaries, logError, logUsual } from './log.resource.ts'

const readOnly = { without: ['submit', 'remove'] } as const

export default defineModule({
  name: 'platform/logs',
  label: { zh: '日志', en: 'Logs' },
  resources: [
    serve(logUsual, readOnly),
    serve(logApi, {
      ...readOnly,
      // Titles are stored in Chinese as they were at the time: other languages look up the current title.
      present: (wire, rows, { lang, services }) => {
        if (lang === 'zh') return
        for (const [at, { method, requestUri }] of rows.entries()) {
          const row = wire[at]!
          if (row.title)
            row.title = findRouteTitle(services.registry, method ?? '', requestUri ?? '')?.[lang] ?? row.title
        }
      },
    }),
    serve(logError, readOnly),
    serve(requestLog),
    personalOpeningServer,
  ],
  jobs: [deleteExpiredRowsJob, createUpcomingPartitionsJob, reportOrphanReferencesJob],
  params: [PERSONAL_OPENING_MINUTES_PARAM, PERSONAL_OPENINGS_HOURLY_PARAM, PERSONAL_OPENINGS_ALERT_PARAM],
  retention: logRetentionRules,
  dictionaries: [...logDictionaries, ...requestLogDictionaries],
  menus: [
    { code: 'monitor', label: { zh: '系统监控', en: 'Monitoring' }, path: '/monitor', icon: 'dashboard', sort: 3 },
    {
      code: 'log',
      label: { zh: '日志管理', en: 'Logs' },
      path: '/monitor/log',
      icon: 'profile',
      sort: 3,
      under: 'monitor',
    },
  ],
  start: async (services) => {
    services.slots.fill(personalOpeningsSlot, personalOpeningsRecorder)
    recordSystemLogWithoutCall(services, {
      level: 'info',
      id: 'server.started',
      data: { story: services.config.story, node: process.version, pid: process.pid },
    })
    return () => flushLogs(services)
  },
})
