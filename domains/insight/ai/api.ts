/** Demo data of this module, loaded only when it is seeded. */
export const aiStory = () => import('./ai.demo.ts')
export { cameraPicture, type TakePicture } from './picture.ts'
