import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module.ts'
import { fleetDictionaries } from './dictionaries.ts'
import { outputTailTable } from './output-tail.ts'
import { platformKeyTable } from './platform-key.ts'
import { programRoutes } from './program-file.ts'
import { remoteLineServer, remoteRoutes, remoteSessionServer, sessionJob } from './remote-session.server.ts'
import { rolloutJob } from './rollout-step.ts'
import { rolloutDeviceServer, rolloutRoutes, rolloutServer } from './rollout.server.ts'
import { upgradeRoutes } from './upgrade.ts'

export default defineModule({
  name: 'devices/device-maintenance',
  label: { zh: '设备运维', en: 'Device maintenance' },
  resources: [rolloutServer, rolloutDeviceServer, remoteSessionServer, remoteLineServer],
  routes: [...upgradeRoutes, ...rolloutRoutes, ...programRoutes, ...remoteRoutes],
  tables: [platformKeyTable, outputTailTable],
  jobs: [rolloutJob, sessionJob],
  retention: [
    {
      table: 'remote_line',
      param: keptDays(
        'remoteLineDays',
        365,
        { zh: '远程会话日志保留天数', en: 'Remote session log retention (days)' },
        90,
      ),
    },
  ],
  dictionaries: fleetDictionaries,
})
