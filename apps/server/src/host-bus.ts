import type { HostBus } from '#kit/server/shared/index.ts'

type Json = Parameters<HostBus['tell']>[1]

/** A worker's messages to the first process: a message for the other workers, or the receipt of one. */
export type WorkerToLeadMessage =
  | { kind: 'tell'; id: number; channel: string; message: Json }
  | { kind: 'heard'; of: string }
export type MessageToHostBus =
  | { kind: 'told'; of: string; channel: string; message: Json }
  | { kind: 'allHeard'; id: number }

const TIMEOUT_MS = 1000

/**
 * The worker's side of the message bus between the processes of one machine. `tell` resolves when all others have
 * received the message, or after a second.
 */
export function createHostBus(send: (message: WorkerToLeadMessage) => void) {
  const waiting = new Map<number, () => void>()
  let last = 0
  let onMessage: Parameters<HostBus['onTold']>[0] = () => {}
  const near: HostBus = {
    tell: (channel, message) =>
      new Promise((resolve) => {
        const id = ++last
        const done = () => {
          clearTimeout(late)
          waiting.delete(id)
          resolve()
        }
        const late = setTimeout(done, TIMEOUT_MS)
        waiting.set(id, done)
        send({ kind: 'tell', id, channel, message })
      }),
    onTold: (handler) => void (onMessage = handler),
  }
  return {
    near,
    take: (message: MessageToHostBus): void => {
      if (message.kind === 'allHeard') return waiting.get(message.id)?.()
      onMessage(message.channel, message.message)
      send({ kind: 'heard', of: message.of })
    },
  }
}

/** The first process's side: forwards a worker's message to the others and reports when all have received it. */
export function createHostRelay(send: (to: number, message: MessageToHostBus) => void) {
  const open = new Map<string, { from: number; id: number; missing: Set<number> }>()
  const check = (of: string) => {
    const pending = open.get(of)
    if (!pending || pending.missing.size) return
    open.delete(of)
    send(pending.from, { kind: 'allHeard', id: pending.id })
  }
  return {
    take: (from: number, message: WorkerToLeadMessage, others: readonly number[]): void => {
      if (message.kind === 'heard') {
        open.get(message.of)?.missing.delete(from)
        return check(message.of)
      }
      const { id, channel } = message
      const of = `${from}/${id}`
      open.set(of, { from, id, missing: new Set(others) })
      for (const other of others) send(other, { kind: 'told', of, channel, message: message.message })
      check(of)
    },
    /** Forgets an ended worker: its receipts are not waited for, and its own messages need no report. */
    leave: (who: number): void => {
      for (const [of, { from, missing }] of open) {
        missing.delete(who)
        if (from === who) open.delete(of)
        else check(of)
      }
    },
  }
}
