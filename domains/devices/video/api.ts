import './refusals.ts'

export { cameraById, type CameraAccess } from './camera-of.ts'
export { lookAtCamera, measureClock } from './health.job.ts'
export { syncAccount } from './sync.job.ts'
export { snapshot } from './platform.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const videoStory = () => import('./video.demo.ts')
