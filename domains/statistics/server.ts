import { defineRoom } from '#kit/server/room.ts'
import { businessRoutes } from './business.server.ts'
import { foldJob, rebuildJob } from './fold.job.ts'
import { homeRoute } from './home.server.ts'
import { recountTable, rollupTables, visitorTables } from './rollup-tables.ts'
import { statisticsRoutes } from './statistics.server.ts'

export default defineRoom({
  name: 'statistics',
  label: { zh: '统计', en: 'Statistics' },
  routes: [homeRoute, ...statisticsRoutes, ...businessRoutes],
  menus: [
    { code: 'statistics', label: { zh: '统计', en: 'Statistics' }, path: '/statistics', icon: 'fund', sort: 35 },
    {
      code: 'businessAnalysis',
      under: 'statistics',
      label: { zh: '经营分析', en: 'Business analysis' },
      path: '/statistics/business',
      icon: 'line-chart',
      sort: 10,
      permissions: { rebuild: { zh: '重算统计', en: 'Count anew' } },
    },
  ],
  tables: [...rollupTables, ...visitorTables, recountTable],
  jobs: [foldJob, rebuildJob],
})
