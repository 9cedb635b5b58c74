import './readings.ts'
import './silent-power.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { powerDictionaries } from './dictionaries.ts'
import { powerRoutes } from './power-routes.ts'
import { dailyPowerUsageTable, powerScheduleStateTable, powerReadingTable } from './power-tables.ts'
import { epaDeviceServer, epaGatewayServer, powerRuleServer, powerTariffServer } from './power.server.ts'
import { applyPowerSchedulesJob } from './schedule.job.ts'
import { powerUsageRoutes } from './usage.server.ts'

export default defineModule({
  name: 'devices/energy',
  label: { zh: '用电', en: 'Power' },
  resources: [epaGatewayServer, epaDeviceServer, powerRuleServer, powerTariffServer],
  routes: [...powerRoutes, ...powerUsageRoutes],
  tables: [powerReadingTable, dailyPowerUsageTable, powerScheduleStateTable],
  jobs: [applyPowerSchedulesJob],
  dictionaries: powerDictionaries,
  retention: [
    {
      table: 'power_reading',
      param: defineRetentionParam(
        'powerReadingDays',
        90,
        { zh: '五分钟用电量保留天数', en: 'Five-minute reading retention (days)' },
        7,
      ),
    },
  ],
})
