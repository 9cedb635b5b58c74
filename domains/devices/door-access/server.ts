import { keptDays } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module.ts'
import { doorDictionaries } from './door-control-log.resource.ts'
import { hearDoors } from './door-events.ts'
import { doorControlLogServer } from './door-log.server.ts'
import { doorRoutes } from './door-routes.ts'
import { entryAskTable } from './entry-ask.ts'
import { answerEntries } from './entry.server.ts'
import { releaseJob } from './hold.job.ts'

hearDoors()
answerEntries()

export default defineModule({
  name: 'devices/door-access',
  label: { zh: '门禁', en: 'Doors' },
  resources: [doorControlLogServer],
  routes: doorRoutes,
  tables: [entryAskTable],
  jobs: [releaseJob],
  dictionaries: doorDictionaries,
  retention: [
    {
      table: 'door_control_log',
      param: keptDays('doorLogDays', 365, { zh: '门禁记录保留天数', en: 'Door access log retention (days)' }, 30),
    },
    {
      table: 'entry_ask',
      param: keptDays('entryAskDays', 7, { zh: '进店询问保留天数', en: 'Entry request retention (days)' }, 1),
    },
  ],
})
