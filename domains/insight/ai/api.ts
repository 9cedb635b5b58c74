/** Demo data of this module, loaded only when it is seeded. */
export const importAiStory = () => import('./ai.demo.ts')
export { cameraPictureSlot, type TakeCameraPicture } from './picture.ts'
