import type { Words } from '#kit/resource/words.ts'
import { words } from './parity-words.ts'

/** What a figure of stock says when it is opened. */
export const figureWords = {
  title: { zh: '这个库存怎么来的', en: 'What the stock is made of' },
  before: { zh: '{since} 时有', en: 'On {since}' },
  by: { zh: '{source} · {type}', en: '{source} · {type}' },
  times: { zh: '{times} 次', en: '{times} {times|time|times}' },
  now: { zh: '现在', en: 'Now' },
  promised: {
    zh: '另有 {count} 件已卖出、等着取走或送出，还在店里但不算在内：{list}',
    en: '{count} more are sold and still here until they are fetched or brought; they are not counted: {list}',
  },
  wanted: {
    zh: '没付款的订单还想要 {count} 件，付款时才扣减：{list}',
    en: 'Orders that are not paid want {count}, which are taken when they are: {list}',
  },
  who: { zh: '各渠道可卖', en: 'Who may sell how many' },
  inShop: { zh: '门店：{stock} 件', en: 'The shop: {stock}' },
  all: { zh: '{there} 件', en: '{there}' },
  less: { zh: '{shop} 件 − 给到店顾客留 {kept} 件 → {there} 件', en: '{shop} − {kept} kept back → {there}' },
  confirmed: { zh: '平台已确认', en: 'confirmed there' },
  untold: { zh: '平台还没有', en: 'not there yet' },
  still: { zh: '平台上还是 {there}，正在同步', en: 'still {there} there, on its way' },
  oneTruth: words.oneTruth,
  movements: words.movements,
  on_ele: words.on_ele,
  on_meituan: words.on_meituan,
} satisfies Record<string, Words>
