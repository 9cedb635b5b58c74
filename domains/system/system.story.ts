import type { Db } from '#kit/server/db.ts'
import { dictBiz } from './dict.resource.ts'

const WORDS = [
  { code: 'refund_reason', zh: '退款原因', en: 'Why refunded', entries: [['商品过期', 'Out of date'], ['包装破损', 'Damaged package'], ['重复扣款', 'Charged twice'], ['价签不符', 'Price tag differs'], ['顾客改变主意', 'Changed mind']] },
  { code: 'loss_reason', zh: '报损原因', en: 'Why written off', entries: [['过期', 'Expired'], ['破损', 'Broken'], ['失窃', 'Stolen'], ['试吃', 'Tasting']] },
] as const

/** The words a tenant of the story uses in its own trade. */
export async function tellBusinessWords(db: Db): Promise<void> {
  for (const [order, { code, zh, en, entries }] of WORDS.entries()) {
    const root = await db.insert(dictBiz, { parentId: '0', code, dictKey: '-1', dictValue: zh, dictValueEn: en, sort: order + 1, isSealed: 0 })
    for (const [index, [dictValue, dictValueEn]] of entries.entries()) {
      await db.insert(dictBiz, { parentId: root.id, code, dictKey: String(index + 1), dictValue, dictValueEn, sort: index + 1, isSealed: 0 })
    }
  }
}
