import type { ProcessMeasurements } from '#kit/server/meters/index.ts'
import type { HostBus } from '#kit/server/shared/index.ts'

/**
 * Where a process sits among those of one machine (workers.ts): what is done once is done by the one that leads, and
 * what all count is counted together.
 */
export type WorkerContext = {
  /** Runs jobs, schedules and the simulated world. */
  isLead: boolean
  /** Calls of an address in this minute, this one included, in all processes of the machine. */
  count: (address: string) => number
  near: HostBus
  /** What all processes of the machine have measured. */
  gather: () => Promise<ProcessMeasurements[]>
  measures: (measure: () => Promise<ProcessMeasurements>) => void
}

/** Told by a process: what it has counted in a minute; and back: what all have. */
export type RateCountReport = { minute: number; counts: Record<string, number> }

const REPORT_MS = 500
/** Few addresses come near a limit: the others are not worth a word. */
const REPORT_FROM = 1 / 16

const minuteOf = (now: number) => Math.floor(now / 60_000)

/** Counts in this process, and with what others have told when `tell` is given. */
export function createRateCounter(
  perMinute: number,
  tell?: (told: RateCountReport) => void,
  clock: () => number = Date.now,
) {
  let minute = 0
  let mine = new Map<string, number>()
  let told = new Map<string, number>()
  let others = new Map<string, number>()
  const turn = () => {
    const now = minuteOf(clock())
    if (now === minute) return
    minute = now
    ;[mine, told, others] = [new Map(), new Map(), new Map()]
  }
  const report = () => {
    turn()
    const news = [...mine].filter(([address, n]) => n >= perMinute * REPORT_FROM && n !== told.get(address))
    if (!news.length) return
    for (const [address, n] of news) told.set(address, n)
    tell?.({ minute, counts: Object.fromEntries(news) })
  }
  if (tell) setInterval(report, REPORT_MS).unref()
  return {
    count: (address: string): number => {
      turn()
      const own = (mine.get(address) ?? 0) + 1
      mine.set(address, own)
      return own + (others.get(address) ?? 0)
    },
    /** What the others have counted: replaces what they said before. */
    hear: (heard: RateCountReport): void => {
      turn()
      if (heard.minute === minute) for (const [address, n] of Object.entries(heard.counts)) others.set(address, n)
    },
    report,
  }
}

/** Adds up what the processes tell; answers for each of the others what all but it have counted. */
export function createRateAggregator() {
  let minute = 0
  let counts = new Map<string, Map<number, number>>()
  return {
    tell: (from: number, told: RateCountReport): void => {
      if (told.minute < minute) return
      if (told.minute > minute) [minute, counts] = [told.minute, new Map()]
      for (const [address, n] of Object.entries(told.counts)) {
        const known = counts.get(address) ?? counts.set(address, new Map()).get(address)!
        known.set(from, n)
      }
    },
    besides: (who: number, addresses: readonly string[]): RateCountReport => ({
      minute,
      counts: Object.fromEntries(
        addresses.map((address) => {
          const known = [...(counts.get(address) ?? [])]
          return [address, known.reduce((sum, [from, n]) => (from === who ? sum : sum + n), 0)] as const
        }),
      ),
    }),
  }
}
