import { formatShanghaiTime } from '#kit/server/base/time.ts'

const DAY_MS = 86_400_000

/** Returns the window between two times of day that contains `now`, also across midnight; undefined outside. */
export function findTimeWindowAt(now: Date, start: string, end: string): { from: Date; to: Date } | undefined {
  const day = formatShanghaiTime(now).slice(0, 10)
  const at = (time: string) => new Date(`${day}T${time}:00+08:00`).getTime()
  const length = (at(end) - at(start) + DAY_MS) % DAY_MS || DAY_MS
  for (const from of [at(start), at(start) - DAY_MS])
    if (now.getTime() >= from && now.getTime() < from + length)
      return { from: new Date(from), to: new Date(from + length) }
  return undefined
}
