import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  ai_no_app: {
    zh: '没有启用的 AI 应用使用工作流“{workflow}”，请先在“AI 应用”中设置',
    en: 'No AI application in use has the workflow "{workflow}": set one up under AI applications',
    status: 409,
  },
  ai_budget_spent: {
    zh: '本月 AI 预算已用完（预算 {budget} 元，已用 {cost} 元）',
    en: 'The AI budget of this month is used up (budget {budget}, spent {cost})',
    status: 409,
  },
  ai_task_off: { zh: '任务“{name}”已停用', en: 'The task "{name}" is not in use', status: 409 },
  ai_nothing_to_see: {
    zh: '任务“{name}”没有可看的对象，或都还在运行中',
    en: 'There is nothing for "{name}" to look at, or it is being looked at already',
    status: 409,
  },
  ai_not_reached: { zh: '连不上 AI 平台：{reason}', en: 'The AI platform cannot be reached: {reason}', status: 409 },
  ai_says_no: { zh: 'AI 平台拒绝：{reason}', en: 'The AI platform says no: {reason}', status: 409 },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
