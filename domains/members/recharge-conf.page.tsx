import { page } from '#kit/web/page.tsx'
import { rechargeConf } from './recharge-conf.resource.ts'

const intro = {
  zh: '顾客可选的充值档位和赠送；停用后不再出售，已充值的不受影响',
  en:
    'What customers can recharge and what is given on top; out of use it is no longer offered, and what was ' +
    'recharged stays',
}

/** Recharge offers. */
export default page(rechargeConf, { intro })
