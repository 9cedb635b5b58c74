/** Imports the demo data of this module, only when it is seeded. */
export const importAiStory = () => import('./ai.demo.ts')
export { cameraPictureSlot, type TakeCameraPicture } from './picture.ts'
