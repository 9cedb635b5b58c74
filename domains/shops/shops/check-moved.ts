import { requireShopStaffChangeAllowed } from '#domains/platform/identity/api.ts'
import type { Call } from '#kit/server/module/module.ts'

/** Refuses to move a position from one person to another if the caller may not change both. */
export async function requireReassignPermission(
  call: Call,
  from: string | null | undefined,
  to: string | null | undefined,
): Promise<void> {
  if ((from ?? null) === (to ?? null)) return
  await requireShopStaffChangeAllowed(call, { taken: from ? [from] : [], given: to ? [to] : [] })
}
