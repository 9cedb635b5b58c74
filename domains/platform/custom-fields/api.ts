export { createCustomFieldCache } from './memory.ts'
export { updateCustomFieldIndexes } from './own-field.job.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importCustomFieldsStory = () => import('./ownfields.demo.ts')
