import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module.ts'
import {
  announcementLogServer,
  announcementRoutes,
  audioConfServer,
  speechEngineServer,
} from './announcements.server.ts'
import { announcementDictionaries } from './dictionaries.ts'
import { soundJob } from './sound.job.ts'
import { soundTable } from './sounds.ts'
import { alarmJob, scheduleJob } from './triggers.ts'

export default defineModule({
  name: 'devices/audio-announcements',
  label: { zh: '播报', en: 'Announcements' },
  resources: [audioConfServer, announcementLogServer, speechEngineServer],
  routes: announcementRoutes,
  tables: [soundTable],
  jobs: [soundJob, alarmJob, scheduleJob],
  dictionaries: announcementDictionaries,
  retention: [
    {
      table: 'announcement_log',
      param: keptDays(
        'announcementLogDays',
        180,
        { zh: '播报记录保留天数', en: 'Voice playback log retention (days)' },
        30,
      ),
    },
  ],
})
