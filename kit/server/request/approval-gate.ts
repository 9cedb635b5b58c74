import { Refused } from '../refused.ts'
import type { Call, Route } from '../module.ts'
import { defineSlot } from '../slots.ts'

/** What a call is answered that others have to agree to first: nothing was done, and this is what they are asked. */
export class PendingApproval {
  readonly id: string
  readonly name: string
  constructor(id: string, name: string) {
    this.id = id
    this.name = name
  }
}

/**
 * Holds acts back until others have agreed. A module fills it; the acts do not know. `guards` is asked of every write
 * and
 * answers from memory; `hold` looks at the act in its transaction, and lets it pass or keeps it.
 */
export type ApprovalGate = {
  guards: (route: Route, call: Call) => Promise<boolean>
  hold: (route: Route, call: Call) => Promise<PendingApproval | undefined>
}
export const approvalGateSlot = defineSlot<ApprovalGate>('gate')

/** The gate of a call that is not let through by itself: what only looks, and what was agreed to, passes. */
export async function findApprovalGate(route: Route, call: Call): Promise<ApprovalGate | undefined> {
  // Older clients change some things by GET, under an address where others POST.
  if ((route.method === 'GET' && !route.comesTo) || call.isApproved) return undefined
  const there = call.services.slots.find(approvalGateSlot)
  return there && (await there.guards(route, call)) ? there : undefined
}

/** What holds a call back, within its transaction; undefined where it goes on. */
export const requestApprovalIfNeeded = async (route: Route, call: Call): Promise<PendingApproval | undefined> =>
  (await findApprovalGate(route, call))?.hold(route, call)

export const pendingApprovalRefusal = ({ id, name }: PendingApproval): Refused =>
  new Refused('held_for_approval', { name }, { held: id })
