export { withVendorMessage } from './call-interactively.ts'
export { callVendor, VendorError, type VendorCall } from './vendor-call.ts'
export { webhookHandlers, storeWebhookEvent, type WebhookHandler } from './webhook-events.ts'
export { parseWideJson } from './wide-json.ts'
