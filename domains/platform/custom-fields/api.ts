export { createOwnFields } from './memory.ts'
export { buildIndexes } from './own-field.job.ts'

/** The demo story of this room, loaded when it is told. */
export const ownfieldsStory = () => import('./ownfields.demo.ts')
