import type { LocalizedText } from '#kit/base/localized-text.ts'
import { words } from './parity-words.ts'

/** Texts of the explanation of a stock figure. */
export const stockExplanationTexts = {
  title: { zh: '这个库存怎么来的', en: 'How this stock is calculated' },
  before: { zh: '{since} 时有', en: 'Stock on {since}' },
  by: { zh: '{source} · {type}', en: '{source} · {type}' },
  times: { zh: '{times} 次', en: '{times} {times|time|times}' },
  now: { zh: '现在', en: 'Now' },
  promised: {
    zh: '另有 {count} 件已卖出，等取走或送出，还在店里但不算在内：{list}',
    en:
      '{count} more {count|is|are} sold and still in the store until pickup or delivery. They are not ' +
      'included: {list}',
  },
  wanted: {
    zh: '没付款的订单还想要 {count} 件，付款时才扣减：{list}',
    en: 'Unpaid orders include {count} more. Stock is deducted when they are paid: {list}',
  },
  who: { zh: '各渠道可卖', en: 'Available by channel' },
  inShop: { zh: '门店：{stock} 件', en: 'Store: {stock}' },
  all: { zh: '{there} 件', en: '{there}' },
  less: {
    zh: '{shop} 件 − 给到店顾客留 {kept} 件 → {there} 件',
    en: '{shop} − {kept} reserved for the store → {there}',
  },
  confirmed: { zh: '平台已确认', en: 'confirmed by the platform' },
  untold: { zh: '平台还没有', en: 'not at the platform yet' },
  still: { zh: '平台上还是 {there}，正在同步', en: 'still {there} at the platform, syncing' },
  oneTruth: words.oneTruth,
  movements: words.movements,
  on_ele: words.on_ele,
  on_meituan: words.on_meituan,
} satisfies Record<string, LocalizedText>
