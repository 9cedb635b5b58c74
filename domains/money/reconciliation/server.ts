import './refusals.ts'
import './back-payable.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { registerMoneyMove } from '#domains/money/payment-channels/api.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { moneyReturnCall } from './return.job.ts'
import { billBridgeRoute } from './bill-bridge.server.ts'
import { enqueueDayComparisonsJob, compareAccountDayJob } from './compare.job.ts'
import { rereadPlatformOrderJob } from './follow.job.ts'
import { reconciliationDictionaries } from './dictionaries.ts'
import { moneyReturnTable, statementLineTable } from './tables.ts'
import {
  resolveDifference,
  recordResolutionDeclined,
  DIFFERENCE_RESOLUTION_MOVE,
  reconciliationDayServer,
  reconciliationDifferenceServer,
} from './reconciliation.server.ts'
import { moneyTrailRoute } from './money-trail.server.ts'

export default defineModule({
  name: 'money/reconciliation',
  label: { zh: '对账', en: 'Reconciliation' },
  resources: [reconciliationDayServer, reconciliationDifferenceServer],
  tables: [statementLineTable, moneyReturnTable],
  routes: [moneyTrailRoute, billBridgeRoute],
  jobs: [compareAccountDayJob, enqueueDayComparisonsJob, rereadPlatformOrderJob, ...moneyReturnCall.jobs],
  dictionaries: reconciliationDictionaries,
  start: async (services) => {
    registerMoneyMove(services, DIFFERENCE_RESOLUTION_MOVE, resolveDifference, recordResolutionDeclined)
  },
  retention: [
    {
      table: 'tally_line',
      param: defineRetentionParam('tallyLineDays', 400, {
        zh: '对账明细保留天数',
        en: 'Statement line retention (days)',
      }),
    },
  ],
})
