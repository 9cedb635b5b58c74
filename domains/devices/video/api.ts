import './refusals.ts'

export { requireCameraById, type CameraAccess } from './camera-of.ts'
export { checkCameraPicture, measureCameraClock } from './health.job.ts'
export { syncVideoAccount } from './sync.job.ts'
export { fetchCameraSnapshot } from './platform.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importVideoDemo = () => import('./video.demo.ts')
