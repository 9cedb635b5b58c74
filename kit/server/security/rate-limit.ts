import type { Shared } from '../shared/index.ts'

export type RateAnswer = {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until it may be tried again; 0 while allowed. */
  retryAfter: number
}

type Rule = { name: string; limit: number; windowSeconds: number; now?: () => Date }

/** How often somebody may do something; counted over all processes in windows that begin with the clock. */
export function createRateLimit(shared: Shared, { name, limit, windowSeconds, now = () => new Date() }: Rule) {
  return async function hit(who: string): Promise<RateAnswer> {
    const seconds = now().getTime() / 1000
    const window = Math.floor(seconds / windowSeconds)
    const hits = await shared.increment(`rate:${name}:${who}:${window}`, windowSeconds)
    const allowed = hits <= limit
    const retryAfter = allowed ? 0 : Math.max(1, Math.ceil((window + 1) * windowSeconds - seconds))
    return { allowed, limit, remaining: Math.max(0, limit - hits), retryAfter }
  }
}
