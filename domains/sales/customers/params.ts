import { defineSystemParam } from '#kit/resource/index.ts'

export const POINTS_PER_YUAN_PARAM = defineSystemParam({
  key: 'member.pointsPerYuan',
  value: '1',
  number: { min: 0, max: 1000, decimals: 2 },
  label: { zh: '每消费 1 元得多少积分', en: 'Points per ¥1 spent' },
  help: { zh: '门店可另设；0 为不积分', en: 'Stores can set their own. 0 means no points.' },
})
export const POINTS_VALIDITY_MONTHS_PARAM = defineSystemParam({
  key: 'member.pointsMonths',
  value: '0',
  number: { min: 0, max: 600 },
  label: { zh: '积分有效月数', en: 'Points validity (months)' },
  help: { zh: '0 为永久有效', en: '0 means points never expire' },
})

export const BLACK_LIST_DAYS_MAX_PARAM = defineSystemParam({
  key: 'member.blackListDays',
  value: '365',
  number: { min: 1, max: 3650 },
  label: { zh: '黑名单最长天数', en: 'Maximum blocklist duration (days)' },
  help: {
    zh: '每条名单都要有结束时间，最晚到这么多天以后',
    en: 'Every entry must end, at the latest after this many days',
  },
})

export const memberParams = [POINTS_PER_YUAN_PARAM, POINTS_VALIDITY_MONTHS_PARAM, BLACK_LIST_DAYS_MAX_PARAM]
