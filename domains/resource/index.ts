export { attach } from './attach.resource.ts'
export { oss } from './oss.resource.ts'
export { sms, smsRecord } from './sms.resource.ts'
