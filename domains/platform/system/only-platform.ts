import type { Call } from '#kit/server/module.ts'
import { Refused } from '#kit/server/refused.ts'

/** Rows all tenants share are written by the platform, whatever permissions a tenant's role was given. */
export function requirePlatformCaller(call: Pick<Call, 'caller'>): void {
  if (!call.caller.isPlatform) throw new Refused('platform_only')
}
