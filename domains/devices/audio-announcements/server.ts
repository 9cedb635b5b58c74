import './refusals.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module/module.ts'
import {
  announcementLogServer,
  announcementRoutes,
  audioConfServer,
  speechEngineServer,
} from './announcements.server.ts'
import { announcementDictionaries } from './dictionaries.ts'
import { makeAnnouncementSoundJob } from './sound.job.ts'
import { announcementSoundTable } from './sounds.ts'
import { playAlarmAnnouncementsJob, playDueAnnouncementsJob } from './triggers.ts'

export default defineModule({
  name: 'devices/audio-announcements',
  label: { zh: '播报', en: 'Announcements' },
  resources: [audioConfServer, announcementLogServer, speechEngineServer],
  routes: announcementRoutes,
  tables: [announcementSoundTable],
  jobs: [makeAnnouncementSoundJob, playAlarmAnnouncementsJob, playDueAnnouncementsJob],
  dictionaries: announcementDictionaries,
  retention: [
    {
      table: 'announcement_log',
      param: defineRetentionParam(
        'announcementLogDays',
        180,
        { zh: '播报记录保留天数', en: 'Voice playback log retention (days)' },
        30,
      ),
    },
  ],
})
