import type { Call } from '#kit/server/module.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineSlot } from '#kit/server/slots.ts'
import { isLimitedToShops } from './rights.ts'

/** Whether nobody who holds a role reaches further than the caller's shops: the module of people knows. */
export const roleHoldersWithinSlot =
  defineSlot<(call: Pick<Call, 'caller' | 'db' | 'services'>, roleId: string) => Promise<boolean>>('holdersWithin')

/** Whoever is limited to shops says nothing of what people of other shops may do, nor of those who see all shops. */
export async function requireHoldersWithinShops(
  call: Call,
  roles: readonly { id: string; roleName: string }[],
): Promise<void> {
  if (!isLimitedToShops(call.caller)) return
  const areWithin = call.services.slots.find(roleHoldersWithinSlot)
  for (const { id, roleName } of roles)
    if (!(await areWithin?.(call, id))) throw new Refused('role_of_other_shops', { name: roleName })
}
