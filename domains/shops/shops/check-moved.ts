import { requireShopStaffChangeAllowed } from '#domains/platform/identity/api.ts'
import type { Call } from '#kit/server/module.ts'

/** A place that goes from one person to another, as far as the caller may give and take it. */
export async function requireReassignPermission(
  call: Call,
  from: string | null | undefined,
  to: string | null | undefined,
): Promise<void> {
  if ((from ?? null) === (to ?? null)) return
  await requireShopStaffChangeAllowed(call, { taken: from ? [from] : [], given: to ? [to] : [] })
}
