import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { rechargeLog } from './recharge-log.resource.ts'

const intro = {
  zh: '每一笔充值；同一单号只到账一次，退款按比例收回赠送',
  en: 'Every top-up. A number is credited only once. Refunds reclaim bonuses proportionally.',
}

export default createResourcePage(rechargeLog, {
  intro,
  totals: createMoneyTotals(['amount', 'giftAmount', 'refundAmount']),
})
