import './refusals.ts'

export { playAnnouncementOnDevice } from './play.ts'
export { encodeALawWav } from './sound.ts'
export { recordAnnouncementEnd, cameraVoiceSlot, type CameraVoicePort } from './camera-voice.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importAnnouncementsDemo = () => import('./announcements.demo.ts')
