import type { LocalizedText } from '#kit/base/localized-text.ts'

/** Texts of the product page and its parts. */
export const words = {
  soldBy: { zh: '售出', en: 'Sold' },
  evening: { zh: '日终库存', en: 'Closing stock' },
  date: { zh: '日期', en: 'Date' },
  stock: { zh: '库存', en: 'In stock' },
  low: { zh: '预警 {low}', en: 'alert at {low}' },
  isLow: { zh: '库存不足', en: 'Low stock' },
  lasts: { zh: '约够卖 {days} 天', en: 'lasts about {days} {days|day|days}' },
  price: { zh: '售价', en: 'Sale price' },
  vipPrice: { zh: '会员价', en: 'Member price' },
  costPrice: { zh: '进价', en: 'Cost' },
  margin: { zh: '毛利率 {margin}%', en: '{margin}% margin' },
  offSale: { zh: '已下架', en: 'Unlisted' },
  receive: { zh: '入库', en: 'Receive' },
  sales: { zh: '销量与库存', en: 'Sales and stock' },
  sold: {
    zh: '{days} 天售出 {count} 件，有货时日均 {average}',
    en: '{count} sold in {days} {days|day|days}, {average} per day while in stock',
  },
  unsold: { zh: '{days} 天里没有卖出', en: 'No sales in {days} {days|day|days}' },
  days: { zh: '{days} 天', en: '{days} {days|day|days}' },
  period: { zh: '时间', en: 'Period' },
  tags: { zh: '价签', en: 'ESL tags' },
  noTags: { zh: '没有绑定价签', en: 'No ESL tags linked' },
  shows: { zh: '显示 {shown}，应为 {wanted}', en: 'shows {shown}, should show {wanted}' },
  allTags: { zh: '全部价签', en: 'All ESL tags' },
  prices: { zh: '改价记录', en: 'Price change' },
  noPrices: { zh: '价格没有变过', en: 'The prices have not changed' },
  first: { zh: '建档', en: 'Added' },
} satisfies Record<string, LocalizedText>

/** Whether a price has been entered: -1 stands for none. */
export const isPriceKnown = (value: unknown) => value !== -1 && value !== '' && value !== undefined
