import { defineModule } from '#kit/server/module/module.ts'
import { businessAnalysisRoutes } from './business.server.ts'
import { foldRollupDeltasJob, rebuildRollupsJob } from './fold.job.ts'
import { homeRoute } from './home.server.ts'
import { statisticsRecountTable, rollupTables, visitorTables } from './rollup-tables.ts'
import { statisticsRoutes } from './statistics.server.ts'

export default defineModule({
  name: 'insight/statistics',
  label: { zh: '统计', en: 'Analytics' },
  routes: [homeRoute, ...statisticsRoutes, ...businessAnalysisRoutes],
  menus: [
    { code: 'statistics', label: { zh: '统计', en: 'Analytics' }, path: '/statistics', icon: 'fund', sort: 35 },
    {
      code: 'businessAnalysis',
      under: 'statistics',
      label: { zh: '经营分析', en: 'Sales performance' },
      path: '/statistics/business',
      icon: 'line-chart',
      sort: 10,
      permissions: { rebuild: { zh: '重算统计', en: 'Recalculate' } },
    },
  ],
  tables: [...rollupTables, ...visitorTables, statisticsRecountTable],
  jobs: [foldRollupDeltasJob, rebuildRollupsJob],
})
