import './refusals.ts'

export { endUncoveredShares } from './share.ts'
export { merchantChecks } from './merchant-checks.ts'

/** The demo story of this room, told once the shops have their history. */
export const merchantsStory = () => import('./merchants.story.ts')
