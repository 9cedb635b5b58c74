import { createResourcePage } from '#kit/web/page/page.tsx'
import { bankInputsByField } from './bank-inputs.web.tsx'
import { settlementChange } from './settlement-change.resource.ts'

export default createResourcePage(settlementChange, {
  intro: {
    zh: '商户的结算款改打到哪个账户：一人提出，另一人确认，微信支付审核',
    en: 'Which account merchant settlements go to. One person requests, another approves, WeChat Pay reviews.',
  },
  inputs: bankInputsByField,
})
