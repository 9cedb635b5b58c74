import './refusals.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { deviceMaintenanceDictionaries } from './dictionaries.ts'
import { remoteOutputTailTable } from './output-tail.ts'
import { platformKeyTable } from './platform-key.ts'
import { packageDownloadRoutes } from './program-file.ts'
import {
  remoteLineServer,
  remoteSessionRoutes,
  remoteSessionServer,
  endOverdueRemoteSessionsJob,
} from './remote-session.server.ts'
import { advanceRolloutsJob } from './rollout-step.ts'
import { rolloutDeviceServer, rolloutRoutes, rolloutServer } from './rollout.server.ts'
import { upgradeRoutes } from './upgrade.ts'

export default defineModule({
  name: 'devices/device-maintenance',
  label: { zh: '设备运维', en: 'Device maintenance' },
  resources: [rolloutServer, rolloutDeviceServer, remoteSessionServer, remoteLineServer],
  routes: [...upgradeRoutes, ...rolloutRoutes, ...packageDownloadRoutes, ...remoteSessionRoutes],
  tables: [platformKeyTable, remoteOutputTailTable],
  jobs: [advanceRolloutsJob, endOverdueRemoteSessionsJob],
  retention: [
    {
      table: 'remote_line',
      param: defineRetentionParam(
        'remoteLineDays',
        365,
        { zh: '远程会话日志保留天数', en: 'Remote session log retention (days)' },
        90,
      ),
    },
  ],
  dictionaries: deviceMaintenanceDictionaries,
})
