/** The demo story of this room, told once the shops have their history. */
export const marketingStory = () => import('./marketing.story.ts')
