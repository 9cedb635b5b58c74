import { createResourcePage } from '#kit/web/page/page.tsx'
import { vipLevel } from './vip-level.resource.ts'

const intro = {
  zh: '会员等级和权益；可由年费购买、消费达标或后台赠送',
  en: 'Tiers and benefits. Bought as a plan, reached by spending or granted.',
}

export default createResourcePage(vipLevel, { intro })
