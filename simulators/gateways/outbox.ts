import type { Clock } from './clock.ts'
import type { Ledger } from './ledger.ts'
import type { Link } from './link.ts'
import type { DevicePayload } from './protocol.ts'

type Options = { clock: Clock; link: Link; ledger: Ledger; newId: () => string; ownTime: () => number }

const KEPT = 1_000
const RESEND_MS = 10_000

/** Keeps events until the server confirms that it stored them; drops the oldest when there are too many. */
export function createOutbox({ clock, link, ledger, newId, ownTime }: Options) {
  const waiting = new Map<string, { message: DevicePayload; sentAt: number }>()
  const prefix = newId()
  let serial = 0
  let stop: (() => void) | undefined

  function send(one: { message: DevicePayload; sentAt: number }): void {
    one.sentAt = clock.now()
    link.send('evt', one.message)
    stop ??= clock.after(RESEND_MS, look)
  }

  function look(): void {
    stop = undefined
    const due = [...waiting.values()].filter(({ sentAt }) => sentAt <= clock.now() - RESEND_MS)
    if (link.isUp()) for (const one of due) send(one)
    const oldest = Math.min(...[...waiting.values()].map(({ sentAt }) => sentAt))
    if (waiting.size && link.isUp()) stop ??= clock.after(Math.max(oldest + RESEND_MS - clock.now(), 1_000), look)
  }

  return {
    size: () => waiting.size,
    add: (type: string, data: DevicePayload): void => {
      const eid = `${prefix}-${++serial}`
      const one = { message: { eid, type, data, ts: ownTime() }, sentAt: 0 }
      waiting.set(eid, one)
      if (waiting.size > KEPT) {
        waiting.delete(waiting.keys().next().value!)
        ledger.figures.eventsLost++
      }
      if (link.isUp()) send(one)
    },
    acknowledged({ eids }: DevicePayload): void {
      if (Array.isArray(eids)) for (const eid of eids) waiting.delete(eid as string)
    },
    resend: () => waiting.forEach(send),
  }
}

export type Outbox = ReturnType<typeof createOutbox>
