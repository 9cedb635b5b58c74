import { page } from '#kit/web/page.tsx'
import { ReceiversCell, SharesInput } from './receivers.web.tsx'
import { shareLog } from './share-log.resource.ts'

export default page(shareLog, {
  intro: {
    zh: '订单的钱分给谁；合计不超过商户的分账上限，也不超过扣除退款和手续费后的余额',
    en:
      "Who gets a part of an order's money; never more than the merchant's ratio, nor than is left after refunds " +
      'and fee',
  },
  inputs: { receivers: SharesInput },
  cells: { receivers: ReceiversCell },
  formWidth: 860,
})
