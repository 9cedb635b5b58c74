export { aiTargets, aiTask, aiTaskLog } from './ai-task.resource.ts'
