/** The format of a pace, for messages about it. */
export const PACES = 'a number above zero and a time, such as 2/min, 600/h or 1/s'

/** Parses "20/min", "600/h" or "2/s" to milliseconds between two sales; undefined for anything else. */
export function paceOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\/(s|min|h)$/.exec(text)
  if (!match || Number(match[1]) <= 0) return undefined
  return { s: 1000, min: 60_000, h: 3_600_000 }[match[2] as 's' | 'min' | 'h'] / Number(match[1])
}
