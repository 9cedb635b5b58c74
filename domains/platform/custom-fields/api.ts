export { createCustomFieldCache } from './memory.ts'
export { updateCustomFieldIndexes } from './own-field.job.ts'

export const importCustomFieldsStory = () => import('./ownfields.demo.ts')
