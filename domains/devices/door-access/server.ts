import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { doorDictionaries } from './door-control-log.resource.ts'
import { registerDoorHandlers } from './door-events.ts'
import { doorControlLogServer } from './door-log.server.ts'
import { doorRoutes } from './door-routes.ts'
import { entryRequestTable } from './entry-ask.ts'
import { registerEntryRequestHandler } from './entry.server.ts'
import { releaseHeldDoorJob } from './hold.job.ts'

registerDoorHandlers()
registerEntryRequestHandler()

export default defineModule({
  name: 'devices/door-access',
  label: { zh: '门禁', en: 'Doors' },
  resources: [doorControlLogServer],
  routes: doorRoutes,
  tables: [entryRequestTable],
  jobs: [releaseHeldDoorJob],
  dictionaries: doorDictionaries,
  retention: [
    {
      table: 'door_control_log',
      param: defineRetentionParam(
        'doorLogDays',
        365,
        { zh: '门禁记录保留天数', en: 'Door access log retention (days)' },
        30,
      ),
    },
    {
      table: 'entry_ask',
      param: defineRetentionParam(
        'entryAskDays',
        7,
        { zh: '进店询问保留天数', en: 'Entry request retention (days)' },
        1,
      ),
    },
  ],
})
