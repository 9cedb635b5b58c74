import { page } from '#kit/web/page.tsx'
import { payAttempt } from './pay-attempt.resource.ts'

export default page(payAttempt, {
  intro: {
    zh: '向顾客收的每一笔微信支付：提出后没有答复的会自动查询，多付的自动退回',
    en: 'Every payment asked of customers: unanswered ones are asked about, what was paid too much goes back',
  },
  // Most are over: nothing is to be done with them.
  transformActions: (actions) => actions.filter(({ key, disabled }) => !(key in payAttempt.actions) || !disabled),
})
