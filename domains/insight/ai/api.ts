/** The demo story of this room, told once the shops have their history. */
export const aiStory = () => import('./ai.demo.ts')
export { cameraPicture, type TakePicture } from './picture.ts'
