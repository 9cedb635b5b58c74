import { f } from '#kit/resource/index.ts'
import { text } from '#kit/server/request/answer-shape.ts'
import { Refused } from '#kit/server/refused.ts'
import { route, serve } from '#kit/server/module.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { makerOf, opened } from './accounts.ts'
import { printAccount } from './print-account.resource.ts'
import { askAbout } from './print.job.ts'
import { printJob } from './print-job.resource.ts'
import { askPrint } from './print.ts'
import { LOOK_QUEUE } from './printer-status.job.ts'
import { printerInfo } from './printer-info.resource.ts'
import type { Part } from './receipt.ts'

export const printJobServer = serve(printJob, {
  without: ['submit', 'remove'],
  present: (wire, _rows, { lang }) => presentSystemWords(wire, 'reason', lang),
  actions: {
    reprint: async (job, _input, { db, services }) => {
      const printer = await db.get(printerInfo, job.printerId!)
      if (!printer) throw new Refused('not_found', { label: printerInfo.label })
      const again = await askPrint(db, services.now(), {
        printer,
        kind: job.kind as 'receipt',
        title: job.title!,
        parts: job.parts as Part[],
        copies: job.copies!,
        orderId: job.orderId ?? undefined,
        reprintOf: job.id,
      })
      return { id: again.id }
    },
  },
})

const textOf = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((given ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
    ),
  )

/**
 * A maker reports. Not all of them sign what they say, only that it is they who say it: a report is kept as a question
 * to the maker, and what that answers counts. Said twice, it is one question.
 */
export const reportRoute = route({
  method: 'POST',
  path: `${printJob.path}/report`,
  answers: text,
  answersAs: { type: '*/*' },
  title: { zh: '打印平台回调', en: 'Printer vendor callback' },
  can: { open: 'makers of printers sign what they report' },
  tx: false,
  rawResponse: true,
  perMinute: 600,
  documentedInput: { account: f.text({ label: printAccount.label, required: true, max: 40 }) },
  handle: async ({ query, body, services, reply }) => {
    const [, tenantId, id] = /^(\d{6,12})-(\d{1,19})$/.exec(query.account ?? '') ?? []
    const row =
      tenantId === undefined ? undefined : await services.unit({ tenantId }, (db) => db.get(printAccount, id!))
    const maker = row?.enabled && makerOf(row.brand)
    const report = maker && maker.reportOf(opened(services, row), textOf(body))
    if (!report) throw new Refused('forbidden')
    await services.unit({ tenantId: tenantId! }, async (db) => {
      if (report.makerNo) await askAbout(db, report.makerNo)
      else await db.enqueue(LOOK_QUEUE, {}, { key: 'look', maxAttempts: 1 })
    })
    const type = maker.thanks.startsWith('{') ? 'application/json' : 'text/plain'
    return reply({ headers: { 'content-type': `${type}; charset=utf-8` }, body: maker.thanks })
  },
})
