/** How long to wait for more before telling, and how long of silence ends a rush. */
const MORE_MS = 400
const RUSH_MS = 6000

/**
 * Tells of what comes in a rush once, not each by itself: what has come is given on after a moment, and while the rush
 * goes on, together with what was given before. Answers what takes the things.
 */
export function createBurstCollector<T>(tell: (all: T[]) => void): (thing: T) => void {
  let rush: T[] = []
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return (thing) => {
    const now = Date.now()
    rush = now - last > RUSH_MS ? [thing] : [...rush, thing]
    last = now
    timer ??= setTimeout(() => {
      timer = undefined
      tell(rush)
    }, MORE_MS)
  }
}
