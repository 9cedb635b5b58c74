/** How long (ms) to collect items before they are reported. */
const MORE_MS = 400
/** How long (ms) without items ends a burst. */
const RUSH_MS = 6000

/**
 * Returns a function that collects items and reports them together, shortly after the first. While a burst goes on,
 * each report also contains the items reported before.
 */
export function createBurstCollector<T>(deliver: (all: T[]) => void): (thing: T) => void {
  let rush: T[] = []
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return (thing) => {
    const now = Date.now()
    rush = now - last > RUSH_MS ? [thing] : [...rush, thing]
    last = now
    timer ??= setTimeout(() => {
      timer = undefined
      deliver(rush)
    }, MORE_MS)
  }
}
