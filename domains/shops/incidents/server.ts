import './refusals.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo, serve } from '#kit/server/module/module.ts'
import { caseRoutes, guardCaseServer } from './case.server.ts'
import { GUARD_CASE_STATE, guardDictionaries } from './dictionaries.ts'
import { GUARD_DESK_PERMISSION, guardDeskRoutes } from './desk.server.ts'
import { caseActionTable } from './case-triggers.ts'
import { guardCase } from './guard-case.resource.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import { recomputeLossesJob, enqueueLossRecomputesJob, lossRoutes, shopLossServer } from './loss.server.ts'
import { guardParams } from './params.ts'
import { guardShiftServer, shiftRoutes } from './shift.server.ts'

export default defineModule({
  name: 'shops/incidents',
  label: { zh: '值守', en: 'Security' },
  params: guardParams,
  resources: [guardCaseServer, guardShiftServer, serve(guardPhrase), shopLossServer],
  routes: [...guardDeskRoutes, ...caseRoutes, ...shiftRoutes, ...lossRoutes],
  tables: [caseActionTable],
  jobs: [recomputeLossesJob, enqueueLossRecomputesJob],
  dictionaries: guardDictionaries,
  menus: [
    { code: 'guard', label: { zh: '值守', en: 'Security' }, path: '/guard', icon: 'safety', sort: 25 },
    {
      code: GUARD_DESK_PERMISSION,
      under: 'guard',
      label: { zh: '值守台', en: 'Security desk' },
      path: '/guard/desk',
      icon: 'monitor',
      sort: 10,
    },
  ],
  todos: [
    defineTodo(guardCase, {
      key: 'casesWaiting',
      label: { zh: '待接手的值守事件', en: 'Unassigned cases' },
      icon: 'safety',
      tone: 'bad',
      sort: 5,
      can: 'guardCase_claim',
      query: () => ({ status: String(GUARD_CASE_STATE.waiting) }),
      line: { title: 'kind', notes: ['shopId'], time: 'cameTime' },
    }),
  ],
  shortcuts: [
    {
      key: 'desk',
      label: { zh: '值守台', en: 'Security desk' },
      icon: 'monitor',
      path: '/guard/desk',
      can: GUARD_DESK_PERMISSION,
      sort: 15,
    },
  ],
  retention: [
    {
      table: 'guard_deed',
      param: defineRetentionParam(
        'guardDeedDays',
        365,
        { zh: '值守动作保留天数', en: 'Case action retention (days)' },
        30,
      ),
    },
    {
      table: 'guard_case',
      param: defineRetentionParam('guardCaseDays', 365, { zh: '值守事件保留天数', en: 'Case retention (days)' }, 30),
      where: `status >= ${GUARD_CASE_STATE.done}`,
    },
  ],
})
