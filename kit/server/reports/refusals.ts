import { defineRefusals, type CodesOf } from '../base/refused.ts'

const refusals = defineRefusals({
  report_unknown: {
    zh: '报表中的“{name}”不存在，或您不可见',
    en: '“{name}” in the report does not exist or is not visible to you.',
  },
  report_part: { zh: '报表的“{name}”填写有误', en: 'Check “{name}” in the report' },
  report_too_big: {
    zh: '结果超过 {max} 格，请缩短时间、减少行列，或只看前几名',
    en: 'The result has more than {max} cells. Choose a shorter period, fewer rows or columns, or only the top ones.',
  },
  report_too_long: {
    zh: '数据太多，{seconds} 秒内算不完，请缩短时间或增加筛选',
    en:
      'There is too much data to calculate within {seconds} {seconds|second|seconds}. Choose a shorter ' +
      'period or add filters.',
  },
})

declare module '../base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
