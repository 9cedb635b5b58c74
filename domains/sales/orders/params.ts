import { defineSystemParam } from '#kit/resource/index.ts'

export const ORDER_PAY_MINUTES_PARAM = defineSystemParam({
  key: 'order.payMinutes',
  value: '15',
  number: { min: 1, max: 10_080 },
  label: { zh: '未支付订单保留分钟数', en: 'Unpaid order timeout (min)' },
  help: { zh: '到时仍未支付的订单自动取消', en: 'Unpaid orders are canceled automatically after this time' },
})

export const orderParams = [ORDER_PAY_MINUTES_PARAM]
