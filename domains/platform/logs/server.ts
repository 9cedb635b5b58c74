import { openings } from '#kit/server/resource/open-personal.ts'
import { defineModule, serve } from '#kit/server/module.ts'
import { titleOfCall } from './call-titles.ts'
import { forgetOld, monthsJob } from './forget.job.ts'
import { logForgets } from './forgets.ts'
import { orphansJob } from './orphans.job.ts'
import { flushLogs, recordUsualOf } from './api.ts'
import { requestDictionaries, requestLog } from './request-log.resource.ts'
import {
  OPEN_MINUTES,
  OPEN_PER_HOUR,
  openingsLog,
  TOLD_FROM,
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
      // What was done is kept in Chinese, as it was called then.
      present: (wire, rows, { lang, services }) => {
        if (lang === 'zh') return
        for (const [at, { method, requestUri }] of rows.entries()) {
          const row = wire[at]!
          if (row.title) row.title = titleOfCall(services.registry, method ?? '', requestUri ?? '')?.[lang] ?? row.title
        }
      },
    }),
    serve(logError, readOnly),
    serve(requestLog),
    personalOpeningServer,
  ],
  jobs: [forgetOld, monthsJob, orphansJob],
  params: [OPEN_MINUTES, OPEN_PER_HOUR, TOLD_FROM],
  retention: logForgets,
  dictionaries: [...logDictionaries, ...requestDictionaries],
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
    services.slots.fill(openings, openingsLog)
    recordUsualOf(services, {
      level: 'info',
      id: 'server.started',
      data: { story: services.config.story, node: process.version, pid: process.pid },
    })
    return () => flushLogs(services)
  },
})
