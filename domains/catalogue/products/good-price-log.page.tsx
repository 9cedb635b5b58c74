import { createResourcePage } from '#kit/web/page/page.tsx'
import { goodPriceLog } from './good-price-log.resource.ts'

const words = {
  intro: {
    zh: '商品售价、会员价、进价每一次改动，谁在什么时候改的',
    en: 'Every change of sale price, member price and cost: when and by whom',
  },
}

/** Read-only list of price changes. */
export default createResourcePage(goodPriceLog, { intro: words.intro })
