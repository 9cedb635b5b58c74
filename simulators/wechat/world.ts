export type Body = Record<string, any>

/** Messages a user still allows, by template; Infinity when allowed permanently. */
type Allowed = Map<string, number>

export type App = {
  kind: 'mini' | 'official'
  secret: string
  /** Users by openid with what they allow; empty for a follower of an official account. */
  people: Map<string, Allowed>
  /** The fields of each template, by its id. */
  templates: Map<string, readonly string[]>
  /** The pages of a mini program. */
  pages: Set<string>
  /** Valid access tokens with their expiry time. */
  tokens: Map<string, number>
  /** Times at which a new token was forced. */
  forced: number[]
  /** Messages sent, by openid and `client_msg_id`. */
  sent: Map<string, { at: number; msgid: number }>
}

type Arrived = { openid: string; templateNo: string; target: string; values: Record<string, string>; at: number }

export type World = {
  now: () => number
  apps: Map<string, App>
  outbox: Arrived[]
  newNo: () => number
}

/** A refusal in WeChat's format: HTTP 200 with `errcode` and `errmsg` in the body. */
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
