import { keptDays } from '#kit/resource/index.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiAppServer, aiFindingServer, aiTaskLogServer, aiTaskServer, aiUsageServer } from './ai.server.ts'
import { aiDictionaries } from './dictionaries.ts'
import { aiRunJob } from './run.job.ts'
import { stopJob, stopRoute } from './stop-run.ts'
import { targetListRoute } from './targets.ts'
import { eventJob, scheduleJob } from './triggers.ts'

export default defineModule({
  name: 'insight/ai',
  label: { zh: '智能任务', en: 'AI' },
  resources: [aiTaskServer, aiFindingServer, aiTaskLogServer, aiAppServer, aiUsageServer],
  routes: [targetListRoute, stopRoute],
  jobs: [aiRunJob, stopJob, eventJob, scheduleJob],
  dictionaries: aiDictionaries,
  todos: [
    todoOf(aiFinding, {
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
      param: keptDays('aiTaskLogDays', 180, { zh: '智能任务记录保留天数', en: 'AI run retention (days)' }),
    },
    {
      table: 'ai_finding',
      param: keptDays('aiFindingDays', 365, { zh: 'AI 发现保留天数', en: 'AI detection retention (days)' }),
    },
  ],
  menus: [{ code: 'ai', label: { zh: '智能任务', en: 'AI' }, path: '/ai', icon: 'robot', sort: 88 }],
})
