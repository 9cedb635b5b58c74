import { customerActionsSlot } from '#domains/sales/customers/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/marketing/discountConf': () => import('./discount-conf.page.tsx'),
    '/marketing/discountTicket': () => import('./discount-ticket.page.tsx'),
    '/marketing/customerTicket': () => import('./customer-ticket.page.tsx'),
    '/marketing/bannerConf': () => import('./banner-conf.page.tsx'),
    '/marketing/advertising': () => import('./advertising.page.tsx'),
    '/marketing/marketingInfo': () => import('./marketing-info.page.tsx'),
    '/marketing/shopMarkting': () => import('./shop-markting.page.tsx'),
  },
  fills: [defineSlotFilling(customerActionsSlot, () => import('./give-ticket.panel.tsx'))],
} satisfies ModulePages
