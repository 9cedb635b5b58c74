/** The demo story of this room, told once the shops have their history. */
export const thirdpartyStory = () => import('./thirdparty.story.ts')
/** What the stories of the two delivery platforms have in common. */
export { storyOnPlatform } from './on-platform.story.ts'
