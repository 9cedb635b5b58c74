import { Refused } from '../base/refused.ts'
import type { Call, Route } from '../module/module.ts'
import { defineSlot } from '../base/slots.ts'

/** Result of a call that needs approval by others: nothing was done yet; the approval request has this id and name. */
export class PendingApproval {
  readonly id: string
  readonly name: string
  constructor(id: string, name: string) {
    this.id = id
    this.name = name
  }
}

/**
 * Holds calls back until others approve them. A module fills the slot; routes need not know it. `guards` is asked for
 * every write and answers from memory; `hold` runs in the call's transaction and either lets it pass (undefined) or
 * stores it.
 */
export type ApprovalGate = {
  guards: (route: Route, call: Call) => Promise<boolean>
  hold: (route: Route, call: Call) => Promise<PendingApproval | undefined>
}
export const approvalGateSlot = defineSlot<ApprovalGate>('gate')

/** Returns the gate that may hold the call; undefined for reads, approved calls and calls that need no approval. */
export async function findApprovalGate(route: Route, call: Call): Promise<ApprovalGate | undefined> {
  // Older clients change some things by GET; the same action is also reachable by POST.
  if ((route.method === 'GET' && !route.comesTo) || call.isApproved) return undefined
  const gate = call.services.slots.find(approvalGateSlot)
  return gate && (await gate.guards(route, call)) ? gate : undefined
}

/** Runs the gate in the call's transaction; returns the pending approval, or undefined if the call may go on. */
export const requestApprovalIfNeeded = async (route: Route, call: Call): Promise<PendingApproval | undefined> =>
  (await findApprovalGate(route, call))?.hold(route, call)

export const pendingApprovalRefusal = ({ id, name }: PendingApproval): Refused =>
  new Refused('held_for_approval', { name }, { held: id })
