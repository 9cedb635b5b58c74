import { randomUUID } from 'node:crypto'
import { bodyTextOf, isRightlySigned, platformJson, signed } from './envelope.ts'
import { secondsOf, type Body, type EleWorld } from './world.ts'

export type Push = {
  cmd: string
  source: string
  body: Body
  ticket: string
  /** The message was acknowledged. */
  taken?: true
  /** Why it was not acknowledged. */
  failure?: string
  times: number
}

/**
 * How messages are sent: `isHeld` waits for `deliver`, `times` is how often each is sent, `lateMs` the delay before.
 */
type PushMood = { isHeld: boolean; times: number; lateMs: number }

const AGAIN_MS = 60_000
const TRIES = 5

export function createPushes(world: EleWorld) {
  const mood: PushMood = { isHeld: false, times: 1, lateMs: 0 }
  const outbox: Push[] = []
  const busy = new Set<Promise<unknown>>()

  const begin = (work: Promise<unknown>) => {
    busy.add(work)
    void work.finally(() => busy.delete(work))
  }

  const deliver = (push: Push, isForged = false) => deliverTo(world, push, isForged)

  async function send(push: Push, tries = TRIES): Promise<void> {
    for (let n = 0; n < mood.times; n++) await deliver(push)
    if (!push.taken && tries > 1) world.clock.after(AGAIN_MS, () => begin(send(push, tries - 1)))
  }

  return {
    mood,
    outbox,
    deliver,
    tell(source: string, cmd: string, body: Body): void {
      const push: Push = { cmd, source, body, ticket: randomUUID().toUpperCase(), times: 0 }
      outbox.push(push)
      if (mood.isHeld) return
      if (mood.lateMs) world.clock.after(mood.lateMs, () => begin(send(push)))
      else begin(send(push))
    },
    /** Resolves when no message is being sent any more. */
    async settled(): Promise<void> {
      while (busy.size) await Promise.all(busy)
    },
  }
}

/** Sends a message now, with a wrong signature if `isForged`. Returns the HTTP status. */
async function deliverTo(world: EleWorld, push: Push, isForged: boolean): Promise<number> {
  const account = world.accounts.get(push.source)
  if (!account?.callback) return 0
  const form = {
    cmd: push.cmd,
    timestamp: `${secondsOf(world)}`,
    version: '3',
    ticket: push.ticket,
    source: push.source,
    encrypt: '',
    body: platformJson(push.body),
  }
  push.times++
  try {
    const response = await fetch(account.callback, {
      method: 'POST',
      body: new URLSearchParams(signed(form, isForged ? `${account.secret}x` : account.secret)),
    })
    const failure = failureIn(push.cmd, account.secret, response.status, await response.text())
    if (failure) push.failure = failure
    else push.taken = true
    return response.status
  } catch (error) {
    push.failure = (error as Error).message
    return 0
  }
}

/** Returns what is wrong with the answer to a message, '' when nothing is. */
function failureIn(cmd: string, secret: string, status: number, text: string): string {
  if (status !== 200) return `HTTP ${status}`
  try {
    const { body, ...rest } = JSON.parse(text) as { body: { errno: number; error: string } } & Record<string, string>
    if (rest.cmd !== `resp.${cmd}`) return `answered as ${rest.cmd}`
    if (!isRightlySigned({ ...rest, body: bodyTextOf(text) }, secret)) return 'wrongly signed'
    return body.errno === 0 ? '' : body.error
  } catch {
    return 'unreadable'
  }
}
