/** The demo story of this room, told once the shops have their history. */
export const aiStory = () => import('./ai.story.ts')
export { cameraPicture, type TakePicture } from './picture.ts'
