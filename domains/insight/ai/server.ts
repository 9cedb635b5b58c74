import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiAppServer, aiFindingServer, aiTaskLogServer, aiTaskServer, aiUsageServer } from './ai.server.ts'
import { aiDictionaries } from './dictionaries.ts'
import { executeAiRunJob } from './run.job.ts'
import { stopDifyRunJob, stopAiRunRoute } from './stop-run.ts'
import { aiTargetListRoute } from './targets.ts'
import { runAiTaskForEventJob, runDueAiTasksJob } from './triggers.ts'

export default defineModule({
  name: 'insight/ai',
  label: { zh: '智能任务', en: 'AI' },
  resources: [aiTaskServer, aiFindingServer, aiTaskLogServer, aiAppServer, aiUsageServer],
  routes: [aiTargetListRoute, stopAiRunRoute],
  jobs: [executeAiRunJob, stopDifyRunJob, runAiTaskForEventJob, runDueAiTasksJob],
  dictionaries: aiDictionaries,
  todos: [
    defineTodo(aiFinding, {
      key: 'aiFindingsOpen',
      label: { zh: 'AI 发现待判定', en: 'AI detections to review' },
      icon: 'eye',
      tone: 'warn',
      query: () => ({ verdict: 'open' }),
      can: 'aiFinding_right',
      line: { title: 'said', notes: ['type', 'shopId'], time: 'createTime' },
    }),
  ],
  retention: [
    {
      table: 'ai_task_log',
      param: defineRetentionParam('aiTaskLogDays', 180, { zh: '智能任务记录保留天数', en: 'AI run retention (days)' }),
    },
    {
      table: 'ai_finding',
      param: defineRetentionParam('aiFindingDays', 365, { zh: 'AI 发现保留天数', en: 'AI detection retention (days)' }),
    },
  ],
  menus: [{ code: 'ai', label: { zh: '智能任务', en: 'AI' }, path: '/ai', icon: 'robot', sort: 88 }],
})
