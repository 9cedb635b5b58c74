import { page } from '#kit/web/page.tsx'
import { aiTask } from './ai-task.resource.ts'

export default page(aiTask, { intro: { zh: '让 AI 定时查看货架、画面和订单，发现问题', en: 'What AI workflows look at in the shops, and when' } })
