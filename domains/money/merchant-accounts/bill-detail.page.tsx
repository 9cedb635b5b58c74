import { createResourcePage } from '#kit/web/page/page.tsx'
import { billDetail } from './bill-detail.resource.ts'

export default createResourcePage(billDetail, {
  intro: {
    zh: '账单里的每一笔收款与退款，和支付平台逐笔核对的结果',
    en: 'Every payment and refund of the bills with its reconciliation result',
  },
})
