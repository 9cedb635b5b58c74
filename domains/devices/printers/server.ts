import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { printingDictionaries } from './dictionaries.ts'
import { goodPrinting } from './good-labels.ts'
import { orderPrinting, receiptJob } from './order-receipt.ts'
import { printAccountServer } from './print-account.server.ts'
import { askJob, sendJob } from './print.job.ts'
import { printJob } from './print-job.resource.ts'
import { printJobServer, reportRoute } from './print-job.server.ts'
import { printerInfoServer, printerMakerJob } from './printer-info.server.ts'
import { lookAtAllJob, lookJob } from './printer-status.job.ts'

export default defineModule({
  name: 'devices/printers',
  label: { zh: '打印', en: 'Printing' },
  resources: [printerInfoServer, printJobServer, printAccountServer],
  extends: [orderPrinting, goodPrinting],
  routes: [reportRoute],
  jobs: [sendJob, askJob, receiptJob, printerMakerJob, lookJob, lookAtAllJob],
  retention: [
    {
      table: 'print_job',
      param: keptDays('printJobDays', 90, { zh: '打印任务保留天数', en: 'Print job retention (days)' }, 7),
    },
  ],
  dictionaries: printingDictionaries,
  todos: [
    todoOf(printJob, {
      key: 'printsUnconfirmed',
      label: { zh: '打印未确认', en: 'Unconfirmed prints' },
      icon: 'printer',
      tone: 'warn',
      can: 'printJob_reprint',
      query: ({ daysAgo }) => ({ state: 'unconfirmed,failed', createTime_datege: daysAgo(1) }),
      line: { title: 'title', notes: ['printerId', 'state'], time: 'createTime' },
    }),
  ],
})
