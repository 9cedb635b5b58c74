/** The demo story of this room, told once the shops have their history. */
export const thirdpartyStory = () => import('./thirdparty.story.ts')
