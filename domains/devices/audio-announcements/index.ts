export { announcementLog } from './announcement-log.resource.ts'
export { audioConf } from './audio-conf.resource.ts'
export { speechEngine } from './speech-engine.resource.ts'
