import { localize, type Lang } from '../../base/localized-text.ts'
import type { Caller } from '../base/caller.ts'
import { formatShanghaiTime } from '../base/time.ts'
import type { ExportWatermark } from './write-sheet.ts'

export const EXPORT_NOTE_LABEL = { zh: '导出说明', en: 'Export note' }
const MARK = {
  zh: '由 {name}（{account}）于 {time} 导出，编号 {number}。内含的个人信息仅供其工作使用，不得外传。',
  en: 'Exported by {name} ({account}) at {time}, no. {number}. Personal data in this file is for their work only.',
}

/** Creates the text that marks a file with its reader; `number` is the id of the export task. */
export function createExportWatermark(caller: Caller, lang: Lang, now: Date, number: string): ExportWatermark {
  const [name, account] = [caller.name || caller.userId, caller.account || caller.userId]
  return {
    reader: `${name} (${account})`,
    words: localize(MARK, lang, { name, account, time: formatShanghaiTime(now), number }),
  }
}
