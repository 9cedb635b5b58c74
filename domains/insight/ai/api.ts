/** Imports the demo data of this module, only when it is seeded. */
export const importAiDemo = () => import('./ai.demo.ts')
export { cameraPictureSlot, type TakeCameraPicture } from './picture.ts'
