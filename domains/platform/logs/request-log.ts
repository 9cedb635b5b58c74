import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { maskForLog, maskSecretsInText, maskUrl } from '#kit/server/base/mask.ts'
import type { Services } from '#kit/server/module/services.ts'
import { currentTrace } from '#kit/server/base/trace.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { sanitizeLogText } from './log-entry.ts'
import type { AllLogWriters } from './logs-provider.ts'

const HEAVY_MAX = 20_000

export type LoggedExternalCall = {
  tenantId: string
  system:
    | 'wechat'
    | 'wechatMessage'
    | 'payment'
    | 'meituan'
    | 'ele'
    | 'wvp'
    | 'dify'
    | 'sms'
    | 'social'
    | 'printer'
    | 'gateway'
    | 'speech'
  direction?: 'out' | 'in'
  method: string
  url: string
  request?: unknown
}

type OutsideAnswer = { httpStatus?: number; bizCode?: string; response?: unknown }

const masked = (value: unknown): string =>
  sanitizeLogText(
    typeof value === 'string' ? maskSecretsInText(value) : (JSON.stringify(maskForLog(value)) ?? ''),
    HEAVY_MAX,
  )

/** Logs a call to an external system and its answer, without secrets and personal data. */
export function logExternalCall(
  services: Services,
  call: LoggedExternalCall & OutsideAnswer & { costMs: number },
): void {
  ;(services.logs as AllLogWriters).request({
    id: newId(),
    tenant_id: call.tenantId,
    system: call.system,
    direction: call.direction ?? 'out',
    method: sanitizeLogText(call.method, 10),
    url: sanitizeLogText(maskUrl(call.url), 1000),
    request: masked(call.request),
    response: masked(call.response),
    http_status: call.httpStatus ?? null,
    biz_code: sanitizeLogText(call.bizCode ?? '', 100),
    cost_ms: Math.round(call.costMs),
    trace_id: currentTrace()?.id ?? '',
  })
}

/**
 * Runs a call to an external system and logs both sides, also when it fails. `read` picks what to log of the answer.
 * Throws the call's error.
 */
export async function callAndLogExternal<T>(
  services: Services,
  call: LoggedExternalCall,
  ask: () => Promise<T>,
  read: (answer: T) => OutsideAnswer,
): Promise<T> {
  const started = performance.now()
  const note = (answer: OutsideAnswer) =>
    logExternalCall(services, { ...call, ...answer, costMs: performance.now() - started })
  try {
    const answer = await ask()
    note(read(answer))
    return answer
  } catch (error) {
    services.log.warn({ err: error, system: call.system }, 'a system outside did not answer')
    // Logs only a class of error: tenants read this log, and socket and DNS errors name internal hosts.
    note({ bizCode: 'no_answer', response: classifyExternalFailure(error) })
    throw error
  }
}
