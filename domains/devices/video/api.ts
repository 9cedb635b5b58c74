import './refusals.ts'

export { cameraById, type CameraAccess } from './camera-of.ts'
export { lookAtCamera, measureClock } from './health.job.ts'
export { syncAccount } from './sync.job.ts'
export { snapshot } from './platform.ts'

/** The demo story of this room, loaded when it is told. */
export const videoStory = () => import('./video.demo.ts')
