import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { endTimedOutVisitJob } from './visit-timeout.job.ts'
import { visitDictionaries } from './visit.resource.ts'
import { wholeVisitRoute } from './whole-visit.server.ts'
import { visitTimelineTable, visitRoutes, visitServer } from './visit.server.ts'

export default defineModule({
  name: 'shops/visits',
  label: { zh: '到店', en: 'Visits' },
  resources: [visitServer],
  routes: [...visitRoutes, wholeVisitRoute],
  jobs: [endTimedOutVisitJob],
  tables: [visitTimelineTable],
  dictionaries: visitDictionaries,
})
