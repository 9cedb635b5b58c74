export { vendorEvent } from './vendor-event.resource.ts'
