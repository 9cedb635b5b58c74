import type { Db } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import type { JobState } from './dictionaries.ts'
import { printJob } from './print-job.resource.ts'

/** Why a job did not come to its end. */
export const FAILURE_REASONS = {
  lost: systemWords({
    zh: '没有收到应答，不知道是否已打印；请看一下打印机，需要时重打',
    en: 'No response was received. It may have been printed. Check the printer and reprint if needed.',
  }),
  noPrinter: systemWords({ zh: '打印机已删除', en: 'The printer was deleted' }),
  noAccount: systemWords({ zh: '没有启用的云打印账号', en: 'No active cloud print account' }),
  noGateway: systemWords({ zh: '门店没有网关', en: 'The store has no gateway' }),
  otherGateway: systemWords({
    zh: '网关已更换，没有打印；需要时重打',
    en: 'The gateway was replaced and nothing was printed. Reprint if needed.',
  }),
  noPaper: systemWords({ zh: '打印机缺纸', en: 'The printer is out of paper' }),
  tooLate: systemWords({
    zh: '打印机迟迟未打印，已作废',
    en: 'The printer did not print in time. The job was canceled.',
  }),
  tooLong: systemWords({ zh: '内容过长', en: 'The content is too long' }),
}

type Turn = { state: JobState; reason?: string | null; makerNo?: string; sentTime?: string; printedTime?: string }

/** Moves a job on from one of these states; whether it was in one. */
export async function transitionPrintJob(db: Db, id: string, from: readonly JobState[], to: Turn): Promise<boolean> {
  const row = await db.get(printJob, id, 'forUpdate')
  if (!row || !from.includes(row.state as JobState)) return false
  publishChanged({ db }, printJob, [await db.update(printJob, id, to)])
  return true
}

/** It came out, also where somebody had given it up as lost. */
export const completePrintJob = (db: Db, { now }: Services, id: string): Promise<boolean> =>
  transitionPrintJob(db, id, ['sent', 'sending', 'unconfirmed'], {
    state: 'printed',
    reason: null,
    printedTime: shanghaiText(now()),
  })
