import { page } from '#kit/web/page.tsx'
import { returnLog } from './return-log.resource.ts'

const words = {
  intro: {
    zh: '退给供应商或顾客退回的商品，保存即变动库存，顾客退回的破损、质量问题和召回商品不再上架；订单退款请在订单页办理',
    en:
      'Goods that go back to a supplier or come back from a customer; saving moves the stock, except of what a ' +
      'customer brings back damaged, faulty or recalled. Orders are refunded on their own page',
  },
}

/** Returns, to suppliers and from customers. */
export default page(returnLog, { intro: words.intro })
