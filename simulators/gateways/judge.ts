import type { ReceivedCommand } from './ledger.ts'

/** A command with its final state on the server. */
export type FinalCommand = { id: string; method: string; state: string; expiresAt: number }

const DONE = 0
const OPEN = new Set(['asked', 'sent', 'taken', 'unknown'])
const UNDONE = new Set(['expired', 'refused', 'canceled'])
/** Tolerance between the device reading its clock and recording the time. */
const SLACK_MS = 50

/** Compares the server's command states with what the devices really did. Returns a sentence for each contradiction. */
export function lies(commands: readonly FinalCommand[], received: ReadonlyMap<string, ReceivedCommand>): string[] {
  return commands.flatMap(({ id, method, state, expiresAt }) => {
    const entry = received.get(id)
    const executed = entry?.executed ?? 0
    const name = `${method} ${id}`
    return [
      ...(OPEN.has(state) ? [`${name} has no end: ${state}`] : []),
      ...(state === 'done' && !(executed && entry?.code === DONE) ? [`${name} is said to be done and was not`] : []),
      ...(state === 'failed' && entry?.code === DONE ? [`${name} is said to have failed and was done`] : []),
      ...(UNDONE.has(state) && executed ? [`${name} is said to be ${state} and was carried out`] : []),
      ...(executed > 1 ? [`${name} was carried out ${executed} times`] : []),
      ...(executed && entry!.receivedAt >= expiresAt + SLACK_MS
        ? [`${name} was carried out ${entry!.receivedAt - expiresAt} ms after its end`]
        : []),
    ]
  })
}
