export { resourceNameByAiTarget, aiTask, aiTaskLog } from './ai-task.resource.ts'
