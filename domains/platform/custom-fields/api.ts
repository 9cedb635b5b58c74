export { createCustomFieldCache } from './memory.ts'
export { updateCustomFieldIndexes } from './own-field.job.ts'

export const importCustomFieldsDemo = () => import('./ownfields.demo.ts')
