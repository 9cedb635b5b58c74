import type { Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { PrintJobState } from './dictionaries.ts'
import { printJob } from './print-job.resource.ts'

/** Reasons why a print job failed, expired or is unconfirmed. */
export const PRINT_FAILURE_TEXTS = {
  lost: defineSystemText({
    zh: '没有收到应答，不知道是否已打印；请看一下打印机，需要时重打',
    en: 'No response was received. It may have been printed. Check the printer and reprint if needed.',
  }),
  noPrinter: defineSystemText({ zh: '打印机已删除', en: 'The printer was deleted' }),
  noAccount: defineSystemText({ zh: '没有启用的云打印账号', en: 'No active cloud print account' }),
  noGateway: defineSystemText({ zh: '门店没有网关', en: 'The store has no gateway' }),
  otherGateway: defineSystemText({
    zh: '网关已更换，没有打印；需要时重打',
    en: 'The gateway was replaced and nothing was printed. Reprint if needed.',
  }),
  noPaper: defineSystemText({ zh: '打印机缺纸', en: 'The printer is out of paper' }),
  tooLate: defineSystemText({
    zh: '打印机迟迟未打印，已作废',
    en: 'The printer did not print in time. The job was canceled.',
  }),
  tooLong: defineSystemText({ zh: '内容过长', en: 'The content is too long' }),
}

type Turn = { state: PrintJobState; reason?: string | null; makerNo?: string; sentTime?: string; printedTime?: string }

/** Moves a job to another state when it is in one of `from`. Returns whether it was. */
export async function transitionPrintJob(
  db: Db,
  id: string,
  from: readonly PrintJobState[],
  to: Turn,
): Promise<boolean> {
  const row = await db.get(printJob, id, 'forUpdate')
  if (!row || !from.includes(row.state as PrintJobState)) return false
  publishRowsChanged({ db }, printJob, [await db.update(printJob, id, to)])
  return true
}

/** Marks a job as printed, even one that was unconfirmed. */
export const completePrintJob = (db: Db, { now }: Services, id: string): Promise<boolean> =>
  transitionPrintJob(db, id, ['sent', 'sending', 'unconfirmed'], {
    state: 'printed',
    reason: null,
    printedTime: formatShanghaiTime(now()),
  })
