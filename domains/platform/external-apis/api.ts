export { refuseOnVendorError } from './call-interactively.ts'
export { callVendor, VendorError, type VendorCall } from './vendor-call.ts'
export { registerWebhookHandler, storeWebhookEvent, type WebhookHandler } from './webhook-events.ts'
export { parseJsonKeepingLongIntegers } from './wide-json.ts'
