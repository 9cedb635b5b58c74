export { logApi, logError, logUsual } from './log.resource.ts'
export { requestLog } from './request-log.resource.ts'
