export { printAccount } from './print-account.resource.ts'
export { printJob } from './print-job.resource.ts'
export { printerInfo } from './printer-info.resource.ts'
