import type { Caller } from './caller.ts'
import { Refused } from './refused.ts'

/**
 * Refuses callers of tenants, whatever their role was granted: only the platform changes rows that all tenants share.
 */
export function requirePlatformCaller({ caller }: { caller: Caller }): void {
  if (!caller.isPlatform) throw new Refused('platform_only')
}
