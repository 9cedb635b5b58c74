// Checks while a part the product can do without is down: the proxy still uses every node, and all of them save.
import { setTimeout as pause } from 'node:timers/promises'
import { newRechargeNo, tryTopUp, type Stage } from './chaos-trade.ts'
import type { World } from './chaos-world.ts'

/** Time the proxy needs to check the nodes. */
const SEEN_MS = 2000

/** Calls each node through the proxy while `what` is down. Returns a sentence for each violation. */
export async function callThroughProxy(world: World, token: string, stage: Stage, what: string): Promise<string[]> {
  await pause(SEEN_MS)
  const { proxy, nodes } = world
  const proxied = { ...world, doors: [proxy.url] }
  const faults: string[] = []
  if (proxy.ready() !== nodes.length)
    faults.push(`while the ${what} is away the proxy leads to ${proxy.ready()} of ${nodes.length} nodes`)
  for (const [n] of nodes.entries()) {
    const { status, msg } = await tryTopUp(proxied, n, token, stage.people[n % stage.people.length]!, newRechargeNo())
    if (status !== 200) faults.push(`while the ${what} is away saving behind the proxy says ${status} "${msg}"`)
  }
  return faults
}
