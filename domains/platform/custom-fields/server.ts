import './refusals.ts'
import { defineModule } from '#kit/server/module.ts'
import { ownFieldKinds, ownFieldTargets } from './dictionaries.ts'
import { clearJob, indexJob, KEPT_DAYS } from './own-field.job.ts'
import { ownFieldRoutes, ownFieldServer } from './own-field.server.ts'
import { ownFieldCount } from './tables.ts'

export default defineModule({
  name: 'platform/custom-fields',
  label: { zh: '自定义字段', en: 'Custom fields' },
  resources: [ownFieldServer],
  routes: ownFieldRoutes,
  tables: [ownFieldCount],
  jobs: [indexJob, clearJob],
  dictionaries: [ownFieldKinds, ownFieldTargets],
  params: [KEPT_DAYS],
})
