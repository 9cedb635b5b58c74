import './refusals.ts'
import './back-payable.ts'
import { keptDays } from '#kit/resource/index.ts'
import { doesMoneyMove } from '#domains/payments/doors.ts'
import { defineModule } from '#kit/server/module.ts'
import { backJob } from './return.job.ts'
import { billBridgeRoute } from './bill-bridge.server.ts'
import { compareAllJob, compareJob } from './compare.job.ts'
import { followJob } from './follow.job.ts'
import { tallyDictionaries } from './dictionaries.ts'
import { tallyBack, tallyLine } from './tables.ts'
import { settleNow, settlingDeclined, TALLY_MOVE, tallyDayServer, tallyDifferenceServer } from './tally.server.ts'
import { wayRoute } from './money-trail.server.ts'

export default defineModule({
  name: 'tally',
  label: { zh: '对账', en: 'Reconciliation' },
  resources: [tallyDayServer, tallyDifferenceServer],
  tables: [tallyLine, tallyBack],
  routes: [wayRoute, billBridgeRoute],
  jobs: [compareJob, compareAllJob, followJob, backJob],
  dictionaries: tallyDictionaries,
  start: async (services) => {
    doesMoneyMove(services, TALLY_MOVE, settleNow, settlingDeclined)
  },
  retention: [
    {
      table: 'tally_line',
      param: keptDays('tallyLineDays', 400, { zh: '对账明细保留天数', en: 'Statement line retention (days)' }),
    },
  ],
})
