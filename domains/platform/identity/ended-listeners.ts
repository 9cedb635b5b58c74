import type { Services } from '#kit/server/module/services.ts'

const LOOK_MS = 60_000

/** Closes live connections of sessions that ended by time: sessions and tenants also expire without an event. */
export async function dropEndedListeners({ live, access }: Pick<Services, 'live' | 'access'>): Promise<void> {
  const callers = live.callers()
  const open = await access.openSessions(callers)
  const ended = new Set(callers.map(({ sessionId }) => sessionId).filter((sessionId) => !open.has(sessionId)))
  live.drop(({ sessionId }) => ended.has(sessionId))
}

/** Runs `dropEndedListeners` every minute. Returns a function that stops it. */
export function watchEndedListeners(services: Services): () => void {
  const look = setInterval(() => {
    dropEndedListeners(services).catch((err: unknown) =>
      services.log.warn({ err }, 'Sessions of those who listen could not be looked up'),
    )
  }, LOOK_MS).unref()
  return () => clearInterval(look)
}
