import { createResourcePage } from '#kit/web/page/page.tsx'
import { returnLog } from './return-log.resource.ts'

const words = {
  intro: {
    zh: '退给供应商或顾客退回的商品，保存即变动库存，顾客退回的破损、质量问题和召回商品不再上架；订单退款请在订单页办理',
    en:
      'Products returned to suppliers or by customers. Saving changes the stock, except for damaged, ' +
      'faulty or recalled customer returns. Refund orders on the order page.',
  },
}

/** List of returns, to suppliers and from customers. */
export default createResourcePage(returnLog, { intro: words.intro })
