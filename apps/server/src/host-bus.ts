import type { HostBus } from '#kit/server/shared/index.ts'

type Json = Parameters<HostBus['tell']>[1]

/** Between a process and the first: what it tells, that it has heard, and that all have. */
export type MessageFromHostBus =
  | { kind: 'tell'; id: number; channel: string; message: Json }
  | { kind: 'heard'; of: string }
export type MessageToHostBus =
  | { kind: 'told'; of: string; channel: string; message: Json }
  | { kind: 'allHeard'; id: number }

const PATIENCE_MS = 1000

/** A process's end of it. */
export function createHostBus(send: (message: MessageFromHostBus) => void) {
  const waiting = new Map<number, () => void>()
  let last = 0
  let hear: Parameters<HostBus['onTold']>[0] = () => {}
  const near: HostBus = {
    tell: (channel, message) =>
      new Promise((resolve) => {
        const id = ++last
        const done = () => {
          clearTimeout(late)
          waiting.delete(id)
          resolve()
        }
        const late = setTimeout(done, PATIENCE_MS)
        waiting.set(id, done)
        send({ kind: 'tell', id, channel, message })
      }),
    onTold: (handler) => void (hear = handler),
  }
  return {
    near,
    take: (message: MessageToHostBus): void => {
      if (message.kind === 'allHeard') return waiting.get(message.id)?.()
      hear(message.channel, message.message)
      send({ kind: 'heard', of: message.of })
    },
  }
}

/** The first process's end: passes on what one tells, and says when all have heard. */
export function createHostRelay(send: (to: number, message: MessageToHostBus) => void) {
  const open = new Map<string, { from: number; id: number; missing: Set<number> }>()
  const check = (of: string) => {
    const told = open.get(of)
    if (!told || told.missing.size) return
    open.delete(of)
    send(told.from, { kind: 'allHeard', id: told.id })
  }
  return {
    take: (from: number, message: MessageFromHostBus, others: readonly number[]): void => {
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
    /** A process that has gone hears nothing more, and waits for nothing. */
    leave: (who: number): void => {
      for (const [of, { from, missing }] of open) {
        missing.delete(who)
        if (from === who) open.delete(of)
        else check(of)
      }
    },
  }
}
