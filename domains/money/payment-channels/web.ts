import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  resources: {
    '/order/paymentRefund': () =>
      import('./payment-refund.resource.ts').then((m) => ({
        resource: m.paymentRefund,
        intro: {
          zh: '充值和会员年费的退款怎么回到顾客手里；不能原路退回的，写明由谁退还',
          en:
            'How top-ups and memberships are refunded to customers, and who refunds those that cannot go to ' +
            'the original method.',
        },
      })),
    '/order/moneyMove': () =>
      import('./money-move.resource.ts').then((m) => ({
        resource: m.moneyMove,
        intro: {
          zh: '超过限额的资金操作要由另一位有权限的人确认；提出的人不能自己确认',
          en: 'Money operations above the limit need another authorized approver. Requesters cannot approve their own.',
        },
      })),
  },
} satisfies ModulePages
