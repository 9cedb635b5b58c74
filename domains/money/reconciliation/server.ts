import './refusals.ts'
import './back-payable.ts'
import { keptDays } from '#kit/resource/index.ts'
import { registerMoneyMove } from '#domains/money/payment-channels/api.ts'
import { defineModule } from '#kit/server/module.ts'
import { moneyReturnJob } from './return.job.ts'
import { billBridgeRoute } from './bill-bridge.server.ts'
import { compareAllJob, compareJob } from './compare.job.ts'
import { followJob } from './follow.job.ts'
import { tallyDictionaries } from './dictionaries.ts'
import { tallyBack, tallyLine } from './tables.ts'
import { settleNow, settlingDeclined, TALLY_MOVE, tallyDayServer, tallyDifferenceServer } from './tally.server.ts'
import { moneyTrailRoute } from './money-trail.server.ts'

export default defineModule({
  name: 'money/reconciliation',
  label: { zh: '对账', en: 'Reconciliation' },
  resources: [tallyDayServer, tallyDifferenceServer],
  tables: [tallyLine, tallyBack],
  routes: [moneyTrailRoute, billBridgeRoute],
  jobs: [compareJob, compareAllJob, followJob, moneyReturnJob],
  dictionaries: tallyDictionaries,
  start: async (services) => {
    registerMoneyMove(services, TALLY_MOVE, settleNow, settlingDeclined)
  },
  retention: [
    {
      table: 'tally_line',
      param: keptDays('tallyLineDays', 400, { zh: '对账明细保留天数', en: 'Statement line retention (days)' }),
    },
  ],
})
