import { createResourcePage } from '#kit/web/page/page.tsx'
import { ReceiversCell, SharesInput } from './receivers.web.tsx'
import { shareLog } from './share-log.resource.ts'

export default createResourcePage(shareLog, {
  intro: {
    zh: '订单的钱分给谁；合计不超过商户的分账上限，也不超过扣除退款和手续费后的余额',
    en:
      'Who receives a share of the order. The total never exceeds the profit-sharing limit or what is ' +
      'left after refunds and fees.',
  },
  inputs: { receivers: SharesInput },
  cells: { receivers: ReceiversCell },
  formWidth: 860,
})
