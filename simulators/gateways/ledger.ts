import type { Command, DevicePayload } from './protocol.ts'

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
type Act = { at: number; what: string; data: DevicePayload }

const KEPT = 1_000

/** Records what a device really did, to compare it with what the server believes. */
export function createLedger(now: () => number) {
  const commands = new Map<string, ReceivedCommand>()
  const acts: Act[] = []
  const figures = { sent: 0, heard: 0, lost: 0, connections: 0, boots: 0, eventsLost: 0 }
  return {
    figures,
    commands: commands as ReadonlyMap<string, ReceivedCommand>,
    acts: acts as readonly Act[],
    received({ id, method }: Command): ReceivedCommand {
      const entry = commands.get(id) ?? { id, method, receivedAt: now(), received: 0, executed: 0 }
      entry.received++
      commands.set(id, entry)
      if (commands.size > KEPT) commands.delete(commands.keys().next().value!)
      return entry
    },
    act: (what: string, data: DevicePayload = {}): void => {
      acts.push({ at: now(), what, data })
      if (acts.length > KEPT) acts.shift()
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
