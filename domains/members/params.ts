import { defineParam } from '#kit/resource/index.ts'

export const POINTS_PER_YUAN = defineParam({
  key: 'member.pointsPerYuan',
  value: '1',
  number: { min: 0, max: 1000, decimals: 2 },
  label: { zh: '每消费 1 元得多少积分', en: 'Points for a yuan spent' },
  help: { zh: '门店可另设；0 为不积分', en: 'A shop may say otherwise; 0: none' },
})
export const POINTS_MONTHS = defineParam({
  key: 'member.pointsMonths',
  value: '0',
  number: { min: 0, max: 600 },
  label: { zh: '积分有效月数', en: 'Months until points lapse' },
  help: { zh: '0 为永久有效', en: '0: they never do' },
})

export const memberParams = [POINTS_PER_YUAN, POINTS_MONTHS]
