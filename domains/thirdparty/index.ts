export { SYNC } from './dictionaries.ts'
export { ourGoodId, platformSkuId, syncFields } from './sync-fields.ts'
export { thirdApi } from './third-api.resource.ts'
export { waitsForSync } from './change-waits.ts'
