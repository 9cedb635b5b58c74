import './refusals.ts'

export { playOn } from './play.ts'
export { aLawWavOf } from './sound.ts'
export { announcementEnded, cameraVoice, type CameraVoice } from './camera-voice.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const announcementsStory = () => import('./announcements.demo.ts')
