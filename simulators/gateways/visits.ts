import type { Body, DevicePayload } from './protocol.ts'

export type Visitor = {
  doorNo: number
  openid?: string
  phone?: string
  code?: string
  /** Products taken from the shelves, and how many of them are put back. */
  picks?: { upc: string; quantity: number; returned?: number }[]
  stayMs?: number
}
type Office = {
  ask: (type: string, data: DevicePayload, done: (answer: DevicePayload | undefined) => void) => void
  openFor: (doorNo: number, by: DevicePayload, seconds?: number) => boolean
  /** Whether the door's settings open it when the server does not answer. */
  opensUnasked: (doorNo: number) => boolean
}
type Visit = Visitor & { visitId: string }

const STAY_MS = 30_000

/** Simulates customers in a shop: they are let in, take products and leave. */
export function createVisits(body: Body, { ask, openFor, opensUnasked }: Office) {
  const inside = new Map<string, Visit>()

  function leave({ visitId, doorNo }: Visit): void {
    if (!inside.delete(visitId)) return
    openFor(doorNo, { by: visitId, visitId })
    body.act('visit.left', { visitId })
    body.event('visit.left', { visitId, doorNo })
    body.stateChanged()
  }

  function walk(visit: Visit): void {
    const { visitId, picks = [], stayMs = STAY_MS } = visit
    for (const [at, { upc, quantity, returned = 0 }] of picks.entries()) {
      const atMs = ((at + 1) * stayMs) / (picks.length + 2)
      body.clock.after(atMs, () => body.event('visit.picked', { visitId, upc, quantity }))
      if (returned > 0)
        body.clock.after(atMs + 1, () => body.event('visit.returned', { visitId, upc, quantity: returned }))
    }
    body.clock.after(stayMs, () => leave(visit))
  }

  function enter(visitor: Visitor, { visitId, seconds }: DevicePayload): boolean {
    const by = { by: visitor.openid ?? visitor.phone ?? visitor.code, visitId }
    if (typeof visitId !== 'string') return false
    if (!openFor(visitor.doorNo, by, typeof seconds === 'number' ? seconds : undefined)) return false
    const visit = { ...visitor, visitId }
    inside.set(visitId, visit)
    body.act('visit.entered', { visitId, doorNo: visitor.doorNo })
    body.event('visit.entered', { visitId, doorNo: visitor.doorNo })
    body.stateChanged()
    walk(visit)
    return true
  }

  return {
    inside: () => inside.size,
    /** A customer shows a code at a door; `done` gets whether it opened. */
    arrive(visitor: Visitor, done: (isIn: boolean) => void = () => {}): void {
      const { doorNo, openid, phone, code } = visitor
      ask('entry', { doorNo, openid, phone, code }, (answer) => {
        if (!answer) {
          const isOpened = opensUnasked(doorNo) && openFor(doorNo, { by: openid ?? phone ?? code })
          body.act(isOpened ? 'entry.unasked' : 'entry.unanswered', { doorNo })
          return done(isOpened)
        }
        const data = (answer.data ?? {}) as DevicePayload
        const isIn = answer.code === 0 && data.allow === true && enter(visitor, data)
        if (!isIn) body.act('entry.refused', { doorNo, reason: data.reason ?? answer.code })
        done(isIn)
      })
    },
    /** After a power cut, those inside leave later. */
    resume(): void {
      for (const visit of inside.values()) body.clock.after(STAY_MS, () => leave(visit))
    },
  }
}
