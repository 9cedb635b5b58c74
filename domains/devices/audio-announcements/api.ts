import './refusals.ts'

export { playOn } from './play.ts'
export { aLawWavOf } from './sound.ts'
export { announcementEnded, cameraVoice, type CameraVoice } from './camera-voice.ts'

/** The demo story of this room, loaded when it is told. */
export const announcementsStory = () => import('./announcements.demo.ts')
