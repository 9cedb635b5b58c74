import { defineParam } from '#kit/resource/index.ts'

export const PAY_MINUTES = defineParam({
  key: 'order.payMinutes',
  value: '15',
  number: { min: 1, max: 10_080 },
  label: { zh: '未支付订单保留分钟数', en: 'Unpaid order timeout (min)' },
  help: { zh: '到时仍未支付的订单自动取消', en: 'Unpaid orders are canceled automatically after this time' },
})

export const orderParams = [PAY_MINUTES]
