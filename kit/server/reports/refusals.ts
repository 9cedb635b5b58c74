import { defineRefusals, type CodesOf } from '../refused.ts'

const refusals = defineRefusals({
  report_unknown: {
    zh: '报表中的“{name}”不存在，或您不可见',
    en: '"{name}" in the report does not exist, or you may not see it',
  },
  report_part: { zh: '报表的“{name}”填写有误', en: '"{name}" of the report is not right' },
  report_too_big: {
    zh: '结果超过 {max} 格，请缩短时间、减少行列，或只看前几名',
    en: 'More than {max} figures: ask for fewer days, rows or columns, or for the first ones alone',
  },
  report_too_long: {
    zh: '数据太多，{seconds} 秒内算不完，请缩短时间或增加筛选',
    en: 'Too many rows to add up within {seconds} seconds: ask for fewer days, or filter more',
  },
})

declare module '../refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
