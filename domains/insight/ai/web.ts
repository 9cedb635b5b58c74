import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/ai/aiTask': () => import('./ai-task.page.tsx'),
    '/ai/aiFinding': () => import('./ai-finding.page.tsx'),
    '/ai/aiTaskLog': () => import('./ai-task-log.page.tsx'),
    '/ai/aiApp': () => import('./ai-app.page.tsx'),
  },
  resources: {
    '/ai/aiUsage': () =>
      import('./ai-usage.resource.ts').then((m) => ({
        resource: m.aiUsage,
        intro: {
          zh: '每月用了多少词元和费用；预算用完后不再运行，正在运行的随即停止',
          en: 'Tokens and cost by month. When the budget is used up, no more runs start and active runs are stopped.',
        },
      })),
  },
} satisfies ModulePages
