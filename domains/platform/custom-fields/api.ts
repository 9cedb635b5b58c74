export { createOwnFields } from './memory.ts'
export { buildIndexes } from './own-field.job.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const ownfieldsStory = () => import('./ownfields.demo.ts')
