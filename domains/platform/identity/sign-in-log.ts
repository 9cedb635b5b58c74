import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import type { Call } from '#kit/server/module/module.ts'

type SignIn = { tenantId: string; account: string; userId?: string; grant: string }

const ACCOUNT_MAX = 45

/** Logs a sign-in, or with `reason` a refused one, in its tenant's operation log. */
export function logSignIn(
  { services, request }: Pick<Call<any>, 'services' | 'request'>,
  { tenantId, account, userId = '', grant }: SignIn,
  started: number,
  reason?: string,
): void {
  const shortAccount = account.slice(0, ACCOUNT_MAX)
  services.logs.operation({
    caller: { ...anonymousCaller, tenantId, userId, account: shortAccount, name: shortAccount },
    tenantId,
    title: reason ? '登录失败' : '登录',
    method: request.method,
    uri: request.url.split('?', 1)[0]!,
    params: { grant_type: grant, account: shortAccount },
    ip: request.ip,
    userAgent: request.userAgent,
    millis: Math.round(performance.now() - started),
    traceId: request.traceId,
    status: reason ? 400 : 200,
    reason,
  })
}
