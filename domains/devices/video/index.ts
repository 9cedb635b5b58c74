export { camera } from './camera.resource.ts'
export { cameraPicture } from './camera-picture.resource.ts'
export { videoAccount } from './video-account.resource.ts'
