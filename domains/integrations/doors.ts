export { askNow } from './call-interactively.ts'
export { callVendor, VendorError, type VendorCall } from './vendor-call.ts'
export { handleEvents, keepEvent, type EventHandler } from './webhook-events.ts'
export { parseWideJson } from './wide-json.ts'
