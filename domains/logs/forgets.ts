import { keptDays } from '#kit/resource/index.ts'
import type { Forgetting } from '#kit/server/room.ts'
import { LAW_DAYS } from './log.resource.ts'

export const logForgets: readonly Forgetting[] = [
  {
    table: 'log_api',
    param: keptDays(
      'operationLogDays',
      365,
      { zh: '操作日志保留天数', en: 'Days the operation log is kept' },
      LAW_DAYS,
    ),
  },
  {
    table: 'log_error',
    param: keptDays('errorLogDays', 90, { zh: '错误日志保留天数', en: 'Days the error log is kept' }),
  },
  {
    table: 'log_usual',
    param: keptDays('usualLogDays', LAW_DAYS, { zh: '通用日志保留天数', en: 'Days the general log is kept' }, LAW_DAYS),
  },
  {
    table: 'personal_opening',
    param: keptDays(
      'personalOpeningDays',
      1095,
      { zh: '个人信息查看记录保留天数', en: 'Days it is kept who opened personal data' },
      LAW_DAYS,
    ),
  },
  {
    table: 'request_log',
    param: keptDays('requestLogDays', 30, { zh: '接口请求日志保留天数', en: 'Days the log of outside calls is kept' }),
  },
]
