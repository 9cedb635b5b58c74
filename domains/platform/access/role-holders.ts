import type { Call } from '#kit/server/module/module.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { isLimitedToShops } from './rights.ts'

/** Returns whether all holders of a role are within the caller's shops. Provided by the module that owns users. */
export const roleHoldersWithinSlot =
  defineSlot<(call: Pick<Call, 'caller' | 'db' | 'services'>, roleId: string) => Promise<boolean>>('holdersWithin')

/** Refuses callers limited to shops to change roles held by people of other shops or of all shops. */
export async function requireHoldersWithinShops(
  call: Call,
  roles: readonly { id: string; roleName: string }[],
): Promise<void> {
  if (!isLimitedToShops(call.caller)) return
  const areWithin = call.services.slots.find(roleHoldersWithinSlot)
  for (const { id, roleName } of roles)
    if (!(await areWithin?.(call, id))) throw new Refused('role_of_other_shops', { name: roleName })
}
