import { defineRetentionParam } from '#kit/resource/index.ts'
import type { RetentionRule } from '#kit/server/module/module.ts'
import { LEGAL_LOG_RETENTION_DAYS } from './log.resource.ts'

export const logRetentionRules: readonly RetentionRule[] = [
  {
    table: 'log_api',
    param: defineRetentionParam(
      'operationLogDays',
      365,
      { zh: '接口日志保留天数', en: 'API log retention (days)' },
      LEGAL_LOG_RETENTION_DAYS,
    ),
  },
  {
    table: 'log_error',
    param: defineRetentionParam('errorLogDays', 90, { zh: '错误日志保留天数', en: 'Error log retention (days)' }),
  },
  {
    table: 'log_usual',
    param: defineRetentionParam(
      'usualLogDays',
      LEGAL_LOG_RETENTION_DAYS,
      { zh: '系统日志保留天数', en: 'System log retention (days)' },
      LEGAL_LOG_RETENTION_DAYS,
    ),
  },
  {
    table: 'personal_opening',
    param: defineRetentionParam(
      'personalOpeningDays',
      1095,
      { zh: '个人信息查看记录保留天数', en: 'Personal data access log retention (days)' },
      LEGAL_LOG_RETENTION_DAYS,
    ),
  },
  {
    table: 'request_log',
    param: defineRetentionParam('requestLogDays', 30, {
      zh: '外部调用日志保留天数',
      en: 'External call log retention (days)',
    }),
  },
]
