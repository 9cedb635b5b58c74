import { createResourcePage } from '#kit/web/page/page.tsx'
import { rechargeConf } from './recharge-conf.resource.ts'

const intro = {
  zh: '顾客可选的充值套餐和赠送；停用后不再出售，已充值的不受影响',
  en: 'Top-up offers and bonuses. Inactive offers are no longer sold. Existing top-ups are not affected.',
}

export default createResourcePage(rechargeConf, { intro })
