import './refusals.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { printingDictionaries } from './dictionaries.ts'
import { goodPrintingExtension } from './good-labels.ts'
import { orderPrintingExtension, printOrderReceiptJob } from './order-receipt.ts'
import { printAccountServer } from './print-account.server.ts'
import { printCall } from './print.job.ts'
import { printJob } from './print-job.resource.ts'
import { printJobServer, printerVendorCallbackRoute } from './print-job.server.ts'
import { printerInfoServer, syncPrinterWithVendorJob } from './printer-info.server.ts'
import { enqueuePrinterChecksJob, checkTenantPrintersJob } from './printer-status.job.ts'

export default defineModule({
  name: 'devices/printers',
  label: { zh: '打印', en: 'Printing' },
  resources: [printerInfoServer, printJobServer, printAccountServer],
  extends: [orderPrintingExtension, goodPrintingExtension],
  routes: [printerVendorCallbackRoute],
  jobs: [
    ...printCall.jobs,
    printOrderReceiptJob,
    syncPrinterWithVendorJob,
    checkTenantPrintersJob,
    enqueuePrinterChecksJob,
  ],
  retention: [
    {
      table: 'print_job',
      param: defineRetentionParam('printJobDays', 90, { zh: '打印任务保留天数', en: 'Print job retention (days)' }, 7),
    },
  ],
  dictionaries: printingDictionaries,
  todos: [
    defineTodo(printJob, {
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
