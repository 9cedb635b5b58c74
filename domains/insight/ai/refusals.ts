import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  ai_no_app: {
    zh: '没有启用的 AI 应用使用工作流“{workflow}”，请先在“AI 应用”中设置',
    en: 'No active AI app uses workflow “{workflow}”. Set one up under “AI apps” first.',
    status: 409,
  },
  ai_budget_spent: {
    zh: '本月 AI 预算已用完（预算 {budget} 元，已用 {cost} 元）',
    en: 'The AI budget for this month is used up (budget ¥{budget}, used ¥{cost})',
    status: 409,
  },
  ai_task_off: { zh: '任务“{name}”已停用', en: 'Task “{name}” is inactive', status: 409 },
  ai_nothing_to_see: {
    zh: '任务“{name}”没有可看的对象，或都还在运行中',
    en: 'Task “{name}” has no targets, or all of them are still running',
    status: 409,
  },
  ai_not_reached: { zh: '连不上 AI 平台：{reason}', en: 'The AI platform cannot be reached: {reason}', status: 409 },
  ai_says_no: { zh: 'AI 平台拒绝：{reason}', en: 'The AI platform rejected the request: {reason}', status: 409 },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
