export { askNow } from './ask-now.ts'
export { callVendor, VendorError, type VendorCall } from './vendor-call.ts'
export { handleEvents, keepEvent, type EventHandler } from './vendor-events.ts'
export { parseWideJson } from './wide-json.ts'
