export { sms, smsRecord } from './sms.resource.ts'
