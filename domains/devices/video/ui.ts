export { CameraView } from './camera-view.tsx'
export { VideoPlayer } from './player.tsx'
