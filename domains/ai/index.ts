export { aiTask, aiTaskLog } from './ai-task.resource.ts'
