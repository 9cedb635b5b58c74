import { createResourcePage } from '#kit/web/page/page.tsx'
import { payAttempt } from './pay-attempt.resource.ts'

export default createResourcePage(payAttempt, {
  intro: {
    zh: '向顾客收的每一笔微信支付；没结果的自动查询，多付的自动退款',
    en: 'All WeChat Pay payment requests. Pending ones are checked and overpayments refunded automatically.',
  },
  // Most are over: nothing is to be done with them.
  transformActions: (actions) => actions.filter(({ key, disabled }) => !(key in payAttempt.actions) || !disabled),
})
