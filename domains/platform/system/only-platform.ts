import type { Call } from '#kit/server/module.ts'
import { Refused } from '#kit/server/refused.ts'

/**
 * Refuses callers of tenants, whatever their role was granted: only the platform changes rows that all tenants share.
 */
export function requirePlatformCaller(call: Pick<Call, 'caller'>): void {
  if (!call.caller.isPlatform) throw new Refused('platform_only')
}
