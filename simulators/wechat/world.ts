export type Body = Record<string, any>

/** How often somebody may still be written to by a template; without end where they follow, or allowed it for long. */
type Allowed = Map<string, number>

export type App = {
  kind: 'mini' | 'official'
  secret: string
  /** Openids of this app: of whom it may write to, by template; who follows an official account has an empty one. */
  people: Map<string, Allowed>
  /** Fields of each template, by its number. */
  templates: Map<string, readonly string[]>
  /** Pages of a mini program. */
  pages: Set<string>
  /** Tokens that are good, and until when. */
  tokens: Map<string, number>
  /** When a new token was forced. */
  forced: number[]
  /** Numbers of messages that were sent, by person and the sender's own number. */
  sent: Map<string, { at: number; msgid: number }>
}

type Arrived = { openid: string; templateNo: string; target: string; values: Record<string, string>; at: number }

export type World = {
  now: () => number
  apps: Map<string, App>
  outbox: Arrived[]
  newNo: () => number
}

/** It says no in the body: HTTP 200 with `errcode` and `errmsg`. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const refuse = (code: number, message: string): never => {
  throw new Refusal(code, message)
}
