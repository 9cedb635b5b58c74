import { localize, type Lang } from '../../resource/localized-text.ts'
import type { Caller } from '../caller.ts'
import { shanghaiText } from '../time.ts'
import type { Mark } from './write-sheet.ts'

export const EXPORTED_BY = { zh: '导出说明', en: 'Export note' }
const MARK = {
  zh: '由 {name}（{account}）于 {time} 导出，编号 {number}。内含的个人信息仅供其工作使用，不得外传。',
  en: 'Exported by {name} ({account}) at {time}, no. {number}. Personal data in this file is for their work only.',
}

/** Whom a file is for, in words that stay with it; `number` finds the asking again. */
export function markOf(caller: Caller, lang: Lang, now: Date, number: string): Mark {
  const [name, account] = [caller.name || caller.userId, caller.account || caller.userId]
  return {
    reader: `${name} (${account})`,
    words: localize(MARK, lang, { name, account, time: shanghaiText(now), number }),
  }
}
