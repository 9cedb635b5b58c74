import type { Command, Data } from './protocol.ts'

/** What really happened to a command, whatever the device reported. */
export type ReceivedCommand = {
  id: string
  method: string
  /** By the real clock. */
  receivedAt: number
  received: number
  executed: number
  /** The code of the refusal, when it was refused. */
  refused?: number
  /** The code of its final result. */
  code?: number
  endedAt?: number
}
type Act = { at: number; what: string; data: Data }

const KEPT = 1_000

/** Records what a device really did, to compare it with what the server believes. */
export function createLedger(now: () => number) {
  const deeds = new Map<string, ReceivedCommand>()
  const acts: Act[] = []
  const figures = { sent: 0, heard: 0, lost: 0, connections: 0, boots: 0, eventsLost: 0 }
  return {
    figures,
    deeds: deeds as ReadonlyMap<string, ReceivedCommand>,
    acts: acts as readonly Act[],
    received({ id, method }: Command): ReceivedCommand {
      const deed = deeds.get(id) ?? { id, method, receivedAt: now(), received: 0, executed: 0 }
      deed.received++
      deeds.set(id, deed)
      if (deeds.size > KEPT) deeds.delete(deeds.keys().next().value!)
      return deed
    },
    act: (what: string, data: Data = {}): void => {
      acts.push({ at: now(), what, data })
      if (acts.length > KEPT) acts.shift()
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
