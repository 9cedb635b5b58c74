import type { ProcessMeasurements } from '#kit/server/meters/index.ts'
import type { HostBus } from '#kit/server/shared/index.ts'

/**
 * The place of a process among those of one machine (workers.ts): whether it does what only one does, and how it shares
 * counts and messages with the others.
 */
export type WorkerContext = {
  /** The one process that runs jobs, schedules and the simulated world. */
  isLead: boolean
  /** Counts a request and returns the address's requests in this minute, over all processes of the machine. */
  count: (address: string) => number
  near: HostBus
  /** Returns the measurements of all processes of the machine. */
  gather: () => Promise<ProcessMeasurements[]>
  measures: (measure: () => Promise<ProcessMeasurements>) => void
}

/** Requests per address in one minute. A worker reports its own; it gets back the sum of the others. */
export type RateCountReport = { minute: number; counts: Record<string, number> }

const REPORT_MS = 500
/** Share of the limit below which an address is not reported: few come near it. */
const REPORT_FROM = 1 / 16

const minuteOf = (now: number) => Math.floor(now / 60_000)

/**
 * Counts requests per address and minute in this process. With `sendReport`, reports them every half second and adds
 * what the other processes reported.
 */
export function createRateCounter(
  perMinute: number,
  sendReport?: (report: RateCountReport) => void,
  clock: () => number = Date.now,
) {
  let minute = 0
  let mine = new Map<string, number>()
  let reported = new Map<string, number>()
  let others = new Map<string, number>()
  const turn = () => {
    const now = minuteOf(clock())
    if (now === minute) return
    minute = now
    ;[mine, reported, others] = [new Map(), new Map(), new Map()]
  }
  const report = () => {
    turn()
    const news = [...mine].filter(([address, n]) => n >= perMinute * REPORT_FROM && n !== reported.get(address))
    if (!news.length) return
    for (const [address, n] of news) reported.set(address, n)
    sendReport?.({ minute, counts: Object.fromEntries(news) })
  }
  if (sendReport) setInterval(report, REPORT_MS).unref()
  return {
    count: (address: string): number => {
      turn()
      const own = (mine.get(address) ?? 0) + 1
      mine.set(address, own)
      return own + (others.get(address) ?? 0)
    },
    /** Takes the sums of the other processes, which replace the previous ones. */
    receive: (report: RateCountReport): void => {
      turn()
      if (report.minute === minute) for (const [address, n] of Object.entries(report.counts)) others.set(address, n)
    },
    report,
  }
}

/** Adds up the reports of the processes. `besides(who)` returns the sums of all processes but that one. */
export function createRateAggregator() {
  let minute = 0
  let counts = new Map<string, Map<number, number>>()
  return {
    tell: (from: number, report: RateCountReport): void => {
      if (report.minute < minute) return
      if (report.minute > minute) [minute, counts] = [report.minute, new Map()]
      for (const [address, n] of Object.entries(report.counts)) {
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
