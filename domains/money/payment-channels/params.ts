import { defineSystemParam } from '#kit/resource/index.ts'

export const DUAL_APPROVAL_THRESHOLD_PARAM = defineSystemParam({
  key: 'refund.secondSignatureAbove',
  value: '200',
  number: { min: 0, max: 10_000_000, decimals: 2 },
  label: {
    zh: '退款、改退、解冻超过多少元需要第二人',
    en: 'Dual approval threshold for refunds, redirects and releases (CNY)',
  },
  help: {
    zh: '单位：元，同一订单、充值或年费的退款合计；改退到其他账户和解冻剩余也按它',
    en:
      'In CNY, all refunds of one order, top-up or membership together. Also applies to refunds to ' +
      'another account and released funds.',
  },
})
