import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineModule, todoOf, serve } from '#kit/server/module.ts'
import { caseRoutes, guardCaseServer } from './case.server.ts'
import { CASE, guardDictionaries } from './dictionaries.ts'
import { DESK, deskRoutes } from './desk.server.ts'
import { caseActionTable } from './case-triggers.ts'
import { guardCase } from './guard-case.resource.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import { lossJob, lossNightJob, lossRoutes, shopLossServer } from './loss.server.ts'
import { guardParams } from './params.ts'
import { guardShiftServer, shiftRoutes } from './shift.server.ts'

export default defineModule({
  name: 'shops/incidents',
  label: { zh: '值守', en: 'Security' },
  params: guardParams,
  resources: [guardCaseServer, guardShiftServer, serve(guardPhrase), shopLossServer],
  routes: [...deskRoutes, ...caseRoutes, ...shiftRoutes, ...lossRoutes],
  tables: [caseActionTable],
  jobs: [lossJob, lossNightJob],
  dictionaries: guardDictionaries,
  menus: [
    { code: 'guard', label: { zh: '值守', en: 'Security' }, path: '/guard', icon: 'safety', sort: 25 },
    {
      code: DESK,
      under: 'guard',
      label: { zh: '值守台', en: 'Security desk' },
      path: '/guard/desk',
      icon: 'monitor',
      sort: 10,
    },
  ],
  todos: [
    todoOf(guardCase, {
      key: 'casesWaiting',
      label: { zh: '待接手的值守事件', en: 'Unassigned cases' },
      icon: 'safety',
      tone: 'bad',
      sort: 5,
      can: 'guardCase_claim',
      query: () => ({ status: String(CASE.waiting) }),
      line: { title: 'kind', notes: ['shopId'], time: 'cameTime' },
    }),
  ],
  shortcuts: [
    {
      key: 'desk',
      label: { zh: '值守台', en: 'Security desk' },
      icon: 'monitor',
      path: '/guard/desk',
      can: DESK,
      sort: 15,
    },
  ],
  retention: [
    {
      table: 'guard_deed',
      param: keptDays('guardDeedDays', 365, { zh: '值守动作保留天数', en: 'Case action retention (days)' }, 30),
    },
    {
      table: 'guard_case',
      param: keptDays('guardCaseDays', 365, { zh: '值守事件保留天数', en: 'Case retention (days)' }, 30),
      where: `status >= ${CASE.done}`,
    },
  ],
})
