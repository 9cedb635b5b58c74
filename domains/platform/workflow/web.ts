import type { ModulePages } from '#kit/web/base/module-pages.ts'

const work = () => import('./work.page.tsx')
const leave = () => import('./leave.page.tsx')

export default {
  pages: {
    '/work/todo': work,
    '/work/claim': work,
    '/work/start': work,
    '/work/send': work,
    '/work/done': work,
    '/work/copy': work,
    '/flow/model': () => import('./flow-model.page.tsx'),
    '/flow/design/:modelId': () => import('./flow-design.page.tsx'),
    '/flow/rule': () => import('./flow-rule.page.tsx'),
    '/flow/manager': () => import('./flow-process.page.tsx'),
    '/flow/follow': () => import('./flow-instance.page.tsx'),
    '/flow/change': () => import('./flow-change.page.tsx'),
    '/work/process/form/:processDefinitionId': () => import('./start-form.page.tsx'),
    '/work/process/handle/:taskId/:processInstanceId': () => import('./process.page.tsx'),
    '/work/process/detail/:processInstanceId': () => import('./process.page.tsx'),
    '/work/process/leave/form/:processDefinitionId': () => import('./leave-form.page.tsx'),
    '/work/process/leave/handle/:taskId/:processInstanceId/:businessId': leave,
    '/work/process/leave/detail/:processInstanceId/:businessId': leave,
  },
  resources: {
    '/work/away': () => import('./flow-away.resource.ts').then((m) => ({ resource: m.flowAway })),
  },
} satisfies ModulePages
