export { CameraView } from './camera-view.tsx'
export { Player } from './player.tsx'
