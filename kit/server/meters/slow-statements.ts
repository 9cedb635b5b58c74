import { LRUCache } from 'lru-cache'
import { formatShanghaiTime } from '../base/time.ts'
import type { Trace } from '../base/trace.ts'

/** A slow statement without its values, with its slowest run of the last hour. */
export type SlowStatement = { text: string; ms: number; runs: number; at: string; traceId: string }

/** Minimum duration in milliseconds to be recorded. */
const NOTED_MS = 50
const LATELY_MS = 3_600_000
const KEPT = 50
const TEXT_MAX = 2000

type Statement = { name?: string; text?: string }
type TimedStatement = string | (Statement & { statements?: readonly Statement[] })

/** Statements ignored within a batch, as they take no time; a COMMIT alone counts, since it shows a slow disk. */
const OF_ALL = /^(?:begin\b|commit$)/

function statementsOf(timed: TimedStatement): readonly Statement[] {
  if (typeof timed === 'string') return [{ text: timed }]
  const all = timed.statements ?? [timed]
  const telling = all.filter(({ text = '' }) => !OF_ALL.test(text))
  return telling.length ? telling : all
}

/** Cleaned texts by statement names, so that a busy server does not clean the same text again and again. */
const texts = new LRUCache<string, string>({ max: 500 })

function textOf(timed: TimedStatement): string {
  const statements = statementsOf(timed)
  const key = statements.map(({ name, text = '' }) => name || text).join('; ')
  let text = texts.get(key)
  if (text === undefined) texts.set(key, (text = withoutConstants(statements.map((one) => one.text).join('; '))))
  return text
}

/** Removes quoted constants from a statement, which may be personal data. */
const withoutConstants = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'/g, "'?'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, TEXT_MAX)

/** Remembers the slowest statements of the last hour, each text once. */
export function createSlowStatementLog(clock: () => number = Date.now) {
  const known = new Map<string, { slow: SlowStatement; at: number }>()
  const drop = () => {
    const now = clock()
    for (const [text, { at }] of known) if (at < now - LATELY_MS) known.delete(text)
  }
  const slowest = (): SlowStatement[] => [...known.values()].map(({ slow }) => slow).sort((a, b) => b.ms - a.ms)
  return {
    /** Records a statement; returns its text if it was slow enough, else undefined. */
    note: (ms: number, timed: TimedStatement, trace: Trace | undefined): string | undefined => {
      if (ms < NOTED_MS) return undefined
      drop()
      const text = textOf(timed)
      const before = known.get(text)?.slow
      const at = clock()
      const runs = (before?.runs ?? 0) + 1
      const slow = { text, ms: Math.round(ms), runs, at: formatShanghaiTime(new Date(at)), traceId: trace?.id ?? '' }
      known.set(text, { slow: before && before.ms > ms ? { ...before, runs } : slow, at })
      if (known.size > KEPT) known.delete(slowest().at(-1)!.text)
      return text
    },
    slowest: (): SlowStatement[] => {
      drop()
      return slowest()
    },
  }
}
