import { page } from '#kit/web/page.tsx'
import { vipLevel } from './vip-level.resource.ts'

const intro = {
  zh: '会员等级和权益；可由年费购买、消费达标或后台赠送',
  en: 'Levels and what they are worth: bought by a fee, reached by spending, or given',
}

/** Member levels. */
export default page(vipLevel, { intro })
