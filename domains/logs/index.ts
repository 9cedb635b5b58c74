export { logApi, logError, logUsual } from './log.resource.ts'
