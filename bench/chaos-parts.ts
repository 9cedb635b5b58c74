// A part the product can do without is away: the proxy still leads to every node, and all of them save.
import { setTimeout as pause } from 'node:timers/promises'
import { newRechargeNo, tryTopUp, type Stage } from './chaos-trade.ts'
import type { World } from './chaos-world.ts'

/** So long the proxy has to look and to be wrong. */
const SEEN_MS = 2000

/** Asks behind the proxy once per node while `what` is away; a sentence for each thing that is not as it should be. */
export async function askBehindProxy(world: World, token: string, stage: Stage, what: string): Promise<string[]> {
  await pause(SEEN_MS)
  const { proxy, nodes } = world
  const behind = { ...world, doors: [proxy.url] }
  const faults: string[] = []
  if (proxy.ready() !== nodes.length)
    faults.push(`while the ${what} is away the proxy leads to ${proxy.ready()} of ${nodes.length} nodes`)
  for (const [n] of nodes.entries()) {
    const { status, msg } = await tryTopUp(behind, n, token, stage.people[n % stage.people.length]!, newRechargeNo())
    if (status !== 200) faults.push(`while the ${what} is away saving behind the proxy says ${status} "${msg}"`)
  }
  return faults
}
